public import Domain
public import JSON

/// The JSON of a service of a salon.
public enum ServiceCodec: ModelCodec {
    private static let minutesRange = 1...1_440
    private static let bufferRange = 0...1_440

    /// The schema of a service.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("id", LocalIDCodec.schema),
            .init("name", .string),
            .init("minutes", .integer(in: minutesRange), "the length"),
            .optional("buffer_before", .integer(in: bufferRange), "minutes, 0 if absent"),
            .optional("buffer_after", .integer(in: bufferRange), "minutes, 0 if absent"),
            .optional("price", PriceCodec.schema),
        ]).named("Service")
    )

    /// Reads a service. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> Service {
        var members = try value.object().members
        return Service(
            id: try LocalIDCodec.read(members.required("id")),
            name: try members.required("name").string(),
            minutes: try members.required("minutes")
                .integer(in: minutesRange, "a duration", "minutes"),
            bufferBefore: try buffer(members.optional("buffer_before")),
            bufferAfter: try buffer(members.optional("buffer_after")),
            price: try members.optional("price").map(PriceCodec.read)
        )
    }

    private static func buffer(_ value: JSONValue?) throws(JSONError) -> Int {
        try value?.integer(in: bufferRange, "a buffer", "minutes") ?? 0
    }

    /// Writes a service.
    public static func write(_ service: Service, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", service.id)
            writer.member("name", service.name)
            writer.member("minutes", service.minutes)
            if service.bufferBefore != 0 { writer.member("buffer_before", service.bufferBefore) }
            if service.bufferAfter != 0 { writer.member("buffer_after", service.bufferAfter) }
            writer.member("price", service.price, as: PriceCodec.self)
        }
    }
}

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
