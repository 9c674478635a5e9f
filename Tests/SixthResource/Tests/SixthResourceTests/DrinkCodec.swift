import Contract
import Domain
import JSON

/// Step 3: the payload.
enum DrinkCodec: ModelCodec {
    static let schema = JSONSchema.object(
        ObjectSchema([
            .init("id", IdentifierCodec.schema),
            .init("name", .string),
            .optional("image", ImageURLCodec.schema),
        ]).named("Drink")
    )

    static func read(_ value: JSONValue) throws(JSONError) -> Drink {
        let object = try value.object()
        return Drink(
            id: try IdentifierCodec.read(object.required("id")),
            name: try object.required("name").string(),
            image: try object.optional("image").map(ImageURLCodec.read)
        )
    }

    static func write(_ drink: Drink, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("id")
            IdentifierCodec.write(drink.id, to: &writer)
            writer.member("name", drink.name)
            writer.member("image", drink.image?.description)
        }
    }
}

enum DrinkListCodec: ListCodec {
    typealias Element = DrinkCodec
    static var key: StaticString { "drinks" }
}
