public import Domain
public import JSON

/// The JSON of a menu item.
public enum MenuItemCodec: ModelCodec {
    /// The schema of an item.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("id", IdentifierCodec.schema),
            .init("name", .string),
            .optional("description", .string),
            .optional("image", ImageURLCodec.schema, "the URL of an image"),
        ]).named("MenuItem")
    )

    /// Reads an item. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> MenuItem {
        let object = try value.object()
        return MenuItem(
            id: try IdentifierCodec.read(object.required("id")),
            name: try object.required("name").string(),
            description: try object.optional("description")?.string(),
            image: try object.optional("image").map(ImageURLCodec.read)
        )
    }

    /// Writes an item.
    public static func write(_ item: MenuItem, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", item.id, as: IdentifierCodec.self)
            writer.member("name", item.name)
            writer.member("description", item.description)
            writer.member("image", item.image?.description)
        }
    }
}

/// The payload of the menu.
public enum MenuCodec: ListCodec {
    /// The codec of one element.
    public typealias Element = MenuItemCodec
    /// The key of the list.
    public static var key: StaticString { "items" }
}
