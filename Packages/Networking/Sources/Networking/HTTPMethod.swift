/// A request method (RFC 9110, section 9).
public struct HTTPMethod: Sendable, Hashable {
    /// The name of the method, as in the request line.
    public let rawValue: String

    private init(_ rawValue: String) { self.rawValue = rawValue }

    /// Reads a resource.
    public static let get = HTTPMethod("GET")
    /// Reads the headers of a resource.
    public static let head = HTTPMethod("HEAD")
    /// Performs an action that the resource defines.
    public static let post = HTTPMethod("POST")
    /// Replaces a resource.
    public static let put = HTTPMethod("PUT")
    /// Changes a part of a resource.
    public static let patch = HTTPMethod("PATCH")
    /// Deletes a resource.
    public static let delete = HTTPMethod("DELETE")

    /// Whether the method only reads (RFC 9110, section 9.2.1).
    var isSafe: Bool { self == .get || self == .head }

    /// Whether a repeated request has the same effect as a single one (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { self != .post && self != .patch }
}
