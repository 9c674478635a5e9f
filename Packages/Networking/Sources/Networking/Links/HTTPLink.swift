/// A link in a `Link` header field (RFC 8288, section 3).
public struct HTTPLink: Sendable, Hashable {
    /// The target as it was written, which may be relative; see ``HTTPResponse/resolve(_:)``.
    public var target: String
    /// The relation types in lowercase, such as `next`; empty if the link states none.
    public var relations: [String] = []
    /// The context of the link, as it was written; nil if the context is the response itself.
    public var anchor: String?

    init(target: String) { self.target = target }
}
