/// The port through which a resource is loaded from its server.
public protocol ResourceAPI<Value>: Sendable {
    /// The type of the resource.
    associatedtype Value: Sendable

    /// Downloads and validates the current value. Returns `unchanged` if the server reports that
    /// the value still matches `validators`.
    func load(unlessMatching validators: String?) async throws(Failure)
        -> ResourceResponse<Value>
}

/// A server's response to the request for a resource.
public enum ResourceResponse<Value: Sendable>: Sendable {
    /// The value, and the validators that identify it if the server sent any. `ageSeconds` is the
    /// age of the response, in particular the time that it has spent in shared caches (RFC 9111,
    /// section 4.2.3). It is never negative. `cursor` is the position in the server's feed of changes before the value was read;
    /// nil if there is no feed.
    case value(Value, validators: String?, ageSeconds: Int64 = 0, cursor: String? = nil)
    /// The value still matches the validators in the request. The server last confirmed this
    /// `ageSeconds` ago, because a shared cache may have sent the response. `cursor` is the position
    /// in the feed before that.
    case unchanged(ageSeconds: Int64 = 0, cursor: String? = nil)
}
