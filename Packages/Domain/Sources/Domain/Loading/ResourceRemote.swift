/// The port to where a resource comes from.
public protocol ResourceRemote<Value>: Sendable {
    /// What is loaded.
    associatedtype Value: Sendable

    /// Downloads and validates the newest value, or says that it is still the one that came with
    /// `validators`, where they are given.
    func load(unlessMatching validators: String?) async throws(RemoteError) -> RemoteAnswer<Value>
}

/// What a server says about a resource.
public enum RemoteAnswer<Value: Sendable>: Sendable {
    /// The value. `validators` tell this version from others, if the server has any; `ageSeconds`
    /// is how long ago the origin sent it to a cache on the way (RFC 9111, section 5.1), never
    /// negative.
    case value(Value, validators: String?, ageSeconds: Int64 = 0)
    /// The version that was asked about was still current `ageSeconds` ago.
    case unchanged(ageSeconds: Int64 = 0)
}
