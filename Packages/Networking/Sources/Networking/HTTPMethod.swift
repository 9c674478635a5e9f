/// A request method (RFC 9110, section 9).
public struct HTTPMethod: Sendable, Hashable {
    /// The name of the method, as in the request line.
    public let rawValue: String

    /// Creates a method from its name, which is case-sensitive, such as `PROPFIND`.
    ///
    /// Nil if the name is not a token (RFC 9110, section 5.6.2), and for `CONNECT`, which requests a
    /// tunnel instead of a response.
    public init?(_ rawValue: String) {
        guard !rawValue.isEmpty, rawValue.utf8.allSatisfy(\.isTokenByte), rawValue != "CONNECT"
        else { return nil }
        self.rawValue = rawValue
    }

    private init(known rawValue: String) { self.rawValue = rawValue }

    /// Reads a resource.
    public static let get = HTTPMethod(known: "GET")
    /// Reads the headers of a resource.
    public static let head = HTTPMethod(known: "HEAD")
    /// Performs an action that the resource defines.
    public static let post = HTTPMethod(known: "POST")
    /// Replaces a resource.
    public static let put = HTTPMethod(known: "PUT")
    /// Changes a part of a resource.
    public static let patch = HTTPMethod(known: "PATCH")
    /// Deletes a resource.
    public static let delete = HTTPMethod(known: "DELETE")

    /// Whether the method only reads (RFC 9110, section 9.2.1).
    var isSafe: Bool { self == .get || self == .head }

    /// Whether a repeated request has the same effect as a single one (RFC 9110, section 9.2.2).
    /// False for a method that is not defined there.
    public var isIdempotent: Bool {
        switch rawValue {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE": true
        default: false
        }
    }
}
