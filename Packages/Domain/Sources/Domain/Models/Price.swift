/// An amount of money.
public struct Price: Sendable, Hashable {
    /// The amount in the minor unit of the currency, such as cents; at least 0.
    public var amount: Int
    /// The currency: three uppercase letters (ISO 4217).
    public var currency: String

    /// Creates a price.
    public init(amount: Int, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}
