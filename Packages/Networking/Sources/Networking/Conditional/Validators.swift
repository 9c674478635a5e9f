public import WebPrimitives

/// The validators of a response, with which a server decides whether a stored copy is current (RFC
/// 9110, section 8.8).
///
/// Store them with the body, and apply them to the next request for the same resource. A 304
/// response then means that the stored body is current.
public struct Validators: Sendable, Hashable {
    /// The entity tag of the response; nil if it has none.
    public let entityTag: EntityTag?
    /// The time of the last change, exactly as the server wrote it.
    public let lastModified: String?

    /// Reads the validators of a response; nil if it has neither a valid `ETag` nor a valid
    /// `Last-Modified`.
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
    /// sections 13.1.2 and 13.1.3), which replace existing ones. Does nothing for other methods.
    public func apply(to request: inout HTTPRequest) {
        guard request.method == .get || request.method == .head else { return }
        request.headers["If-None-Match"] = entityTag?.description
        request.headers["If-Modified-Since"] = lastModified
    }
}

extension Validators: LosslessStringConvertible {
    /// Text to store: one line with the tag and one with the time. Either line may be empty.
    public var description: String { "\(entityTag?.description ?? "")\n\(lastModified ?? "")" }

    /// Parses ``description``; nil for any other text.
    public init?(_ description: String) {
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 2 else { return nil }
        self.init(entityTag: String(lines[0]), lastModified: String(lines[1]))
        guard self.description == description else { return nil }
    }
}
