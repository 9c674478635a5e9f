/// What opened a circuit: the last of the failures.
public enum CircuitCause: String, Sendable, Hashable {
    /// The server could not be reached: no address, no connection, none in time, or one that was lost.
    case noConnection
    /// The server was reached, but was too slow or answered that it is unavailable.
    case serverFailure
}
