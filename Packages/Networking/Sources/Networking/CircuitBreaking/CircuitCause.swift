/// The kind of failure that opened a circuit. If the failures differed, the last one counts.
public enum CircuitCause: String, Sendable, Hashable {
    /// The server could not be reached: name resolution or the connection failed, timed out, or was
    /// lost.
    case noConnection
    /// The server was reached, but it was too slow or reported that it is unavailable.
    case serverFailure
}
