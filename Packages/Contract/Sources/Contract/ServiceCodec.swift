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
            .init(
                "buffer_before",
                .integer(in: bufferRange),
                "minutes, 0 if absent",
                isRequired: false
            ),
            .init(
                "buffer_after",
                .integer(in: bufferRange),
                "minutes, 0 if absent",
                isRequired: false
            ),
            .init("price", PriceCodec.schema, isRequired: false),
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
            if let price = service.price {
                writer.key("price")
                PriceCodec.write(price, to: &writer)
            }
        }
    }
}
