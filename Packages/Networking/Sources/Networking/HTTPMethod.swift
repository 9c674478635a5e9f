/// A request method (RFC 9110, section 9).
public struct HTTPMethod: Sendable, Hashable {
    /// As it stands in the request.
    public let rawValue: String

    private init(_ rawValue: String) { self.rawValue = rawValue }

    /// Reads.
    public static let get = HTTPMethod("GET")
    /// Reads without a body.
    public static let head = HTTPMethod("HEAD")
    /// Does what the resource says.
    public static let post = HTTPMethod("POST")
    /// Replaces.
    public static let put = HTTPMethod("PUT")
    /// Changes a part.
    public static let patch = HTTPMethod("PATCH")
    /// Removes.
    public static let delete = HTTPMethod("DELETE")

    /// Whether the method only reads (RFC 9110, section 9.2.1).
    var isSafe: Bool { self == .get || self == .head }

    /// Whether sending twice does what sending once does (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { self != .post && self != .patch }
}
