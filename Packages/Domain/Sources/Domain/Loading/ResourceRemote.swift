/// The port to where a resource comes from.
public protocol ResourceRemote<Value>: Sendable {
    /// What is loaded.
    associatedtype Value: Sendable

    /// Downloads and validates the newest value, or says that it is still the one that came with
    /// `validators`, where they are given.
    func load(unlessMatching validators: String?) async throws(RemoteError) -> RemoteAnswer<Value>
}

/// What a remote says of a resource.
public enum RemoteAnswer<Value: Sendable>: Sendable {
    /// It is this; `validators` tell this version from others, where the remote has such.
    case value(Value, validators: String?)
    /// It is still the version that was asked about.
    case unchanged
}
