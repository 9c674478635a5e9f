/// The kind of failure that opened a circuit: that of the last request.
public enum CircuitCause: String, Sendable, Hashable {
    /// The server could not be reached: name resolution or the connection failed, timed out, or was
    /// lost.
    case noConnection
    /// The server was reached, but it was too slow or reported that it is unavailable.
    case serverFailure
}
