/// The port that generates idempotency keys.
public protocol IdempotencyKeySource: Sendable {
    /// Returns a new key that cannot be guessed.
    func makeKey() -> String
}
