public import Domain
public import JSON

/// The JSON of a price: `{"amount": 4500, "currency": "EUR"}`.
public enum PriceCodec: ModelCodec {
    /// The schema of a price.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init(
                "amount",
                .integer.adding("minimum", JSONFragment { $0.integer(0) }),
                "in minor units, such as cents"
            ),
            .init("currency", .string(pattern: "^[A-Z]{3}$"), "ISO 4217"),
        ]).named("Price")
    )

    /// Reads a price. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> Price {
        let object = try value.object()
        let amount = try object.required("amount")
        guard try amount.integer() >= 0 else {
            throw amount.mismatch(expected: "an amount of at least 0")
        }
        let currency = try object.required("currency")
        let isCurrency = try currency.withUTF8 { text in
            text.count == 3 && text.allSatisfy { (0x41...0x5A).contains($0) }
        }
        guard isCurrency else {
            throw currency.mismatch(expected: "a currency of three uppercase letters, like EUR")
        }
        return Price(amount: try amount.integer(), currency: try currency.string())
    }

    /// Writes a price.
    public static func write(_ price: Price, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("amount", price.amount)
            writer.member("currency", price.currency)
        }
    }
}
