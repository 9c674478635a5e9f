/// The port that makes idempotency keys.
public protocol IdempotencyKeySource: Sendable {
    /// A new key that no one can guess.
    func makeKey() -> String
}
