/// What opened a circuit: the last of the failures.
public enum CircuitCause: String, Sendable, Hashable {
    /// The server could not be reached: no address, no connection, or none in time.
    case noConnection
    /// The server was reached, but was too slow, hung up, or answered that it is unavailable.
    case serverFailure
}
