/// The port to the server of a resource.
public protocol ResourceAPI<Value>: Sendable {
    /// The type of the resource.
    associatedtype Value: Sendable

    /// Downloads and validates the current value, or reports that it is still the one with
    /// `validators`.
    func load(unlessMatching validators: String?) async throws(ServerError) -> ServerAnswer<Value>
}

/// A server's answer for a resource.
public enum ServerAnswer<Value: Sendable>: Sendable {
    /// The value. `validators` identify this version, if the server has any. `ageSeconds` is how long
    /// ago the origin sent it to a shared cache (RFC 9111, section 5.1), never negative.
    case value(Value, validators: String?, ageSeconds: Int64 = 0)
    /// The version with the given validators was still current `ageSeconds` ago.
    case unchanged(ageSeconds: Int64 = 0)
}
