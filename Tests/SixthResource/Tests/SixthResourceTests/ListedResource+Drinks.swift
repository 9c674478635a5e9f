import Contract
import Domain
import JSON
import NovaBlendEngine

/// Step 4: the methods of the client.
extension ListedResource {
    static let drinks = ListedResource(
        "drinks",
        title: "List drinks",
        codec: DrinkListCodec.self,
        policy: .drinks,
        schema: ObjectSchema([
            .init("id", Schemas.uuid),
            .init("name", Schemas.string, isRequired: false),
            .init("image", Schemas.string, "the URL for drinks/image", isRequired: false),
        ]),
        image: { $0.image },
        text: { [$0.name] }
    )
}
