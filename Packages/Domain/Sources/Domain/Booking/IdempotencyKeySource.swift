/// The port through which a booking gets its idempotency key.
public protocol IdempotencyKeySource: Sendable {
    /// A key that nobody had before and nobody can guess.
    func makeKey() -> String
}
