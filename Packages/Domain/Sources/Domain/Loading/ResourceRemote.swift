/// The port to where a resource comes from.
public protocol ResourceRemote<Value>: Sendable {
    /// What is loaded.
    associatedtype Value: Sendable
    /// Downloads and validates the newest value.
    func load() async throws(RemoteError) -> Value
}
