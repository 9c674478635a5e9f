/// What tells whether a kept response is still the current one (RFC 9110, section 8.8).
///
/// Kept beside a body, and put on the next request for it: an answer of 304 then says that the body
/// is still good. What keeps them is the caller's; a 304 comes as a response like any other.
public struct Validators: Sendable, Hashable {
    /// The tag of the state.
    public let entityTag: EntityTag?
    /// When the state began, as the server wrote it: it must go back in the same letters.
    public let lastModified: String?

    /// Reads them from a response; nil when it has none that is well-formed.
    public init?(_ response: HTTPResponse) {
        self.init(
            entityTag: response.headers["ETag"],
            lastModified: response.headers["Last-Modified"]
        )
    }

    private init?(entityTag: String?, lastModified: String?) {
        let epoch = HTTPDate(secondsSince1970: 0)
        self.entityTag = entityTag.flatMap { EntityTag($0) }
        self.lastModified = lastModified.flatMap { HTTPDate($0, now: epoch) == nil ? nil : $0 }
        if self.entityTag == nil && self.lastModified == nil { return nil }
    }

    /// Makes a GET or HEAD conditional with `If-None-Match` and `If-Modified-Since` (RFC 9110,
    /// sections 13.1.2 and 13.1.3), in place of those that it has; other methods stay as they are.
    public func apply(to request: inout HTTPRequest) {
        guard request.method == .get || request.method == .head else { return }
        request.headers["If-None-Match"] = entityTag?.description
        request.headers["If-Modified-Since"] = lastModified
    }
}

extension Validators: LosslessStringConvertible {
    /// A form to keep, of one line each: the tag and the time, either may be empty.
    public var description: String { "\(entityTag?.description ?? "")\n\(lastModified ?? "")" }

    /// Reads that form; nil for anything else.
    public init?(_ description: String) {
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 2 else { return nil }
        self.init(entityTag: String(lines[0]), lastModified: String(lines[1]))
        guard self.description == description else { return nil }
    }
}
