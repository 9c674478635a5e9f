/// An idempotency key. Keys of different callers are independent, and so are keys of different
/// salons.
public struct IdempotencyKey: Sendable, Hashable {
    /// The text that the client sent.
    public var text: String
    /// Who sent the key, as in ``Principal/identity``.
    public var caller: String

    /// How long a key is retained after its first use: 60 days, in seconds.
    public static let retentionSeconds: Int64 = 60 * 86_400

    /// Creates a key.
    public init(_ text: String, caller: String = "") {
        self.text = text
        self.caller = caller
    }
}
