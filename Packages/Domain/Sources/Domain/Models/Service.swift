/// A service that a salon offers, such as a haircut.
public struct Service: Sendable, Hashable {
    /// The identifier, unique in the salon.
    public var id: String
    /// The name.
    public var name: String
    /// The length in minutes, without buffers.
    public var minutes: Int
    /// The minutes before the service in which its staff member or seat is not free.
    public var bufferBefore: Int
    /// The minutes after the service in which its staff member or seat is not free.
    public var bufferAfter: Int
    /// The price; nil if the salon states none.
    public var price: Price?

    /// Creates a service.
    public init(
        id: String,
        name: String,
        minutes: Int,
        bufferBefore: Int = 0,
        bufferAfter: Int = 0,
        price: Price? = nil
    ) {
        self.id = id
        self.name = name
        self.minutes = minutes
        self.bufferBefore = bufferBefore
        self.bufferAfter = bufferAfter
        self.price = price
    }
}

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

extension Price: CustomStringConvertible {
    /// The amount with the decimals of the currency, such as `45.00 EUR` or `4500 JPY`.
    public var description: String {
        let decimals = Self.decimals(of: currency)
        let digits = String(amount.magnitude)
        let sign = amount < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(digits) \(currency)" }
        let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals)) \(currency)"
    }

    /// The number of decimals of a currency (ISO 4217, list one). Most have two.
    private static func decimals(of currency: String) -> Int {
        switch currency {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI",
            "VND", "VUV", "XAF", "XOF", "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        case "CLF", "UYW": 4
        default: 2
        }
    }
}
