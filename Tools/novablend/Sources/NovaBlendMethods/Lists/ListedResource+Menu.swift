import Contract
import Domain
import JSON

extension ListedResource {
    /// The menu.
    public static let menu = ListedResource(
        "menu",
        title: "List the menu",
        codec: MenuCodec.self,
        policy: .menu,
        schema: ObjectSchema([
            .init("id", Schemas.uuid),
            .init("name", Schemas.string, isRequired: false),
            .init("description", Schemas.string, isRequired: false),
            .init("image", Schemas.string, "the URL for menu/image", isRequired: false),
        ]).named("MenuItem"),
        image: { $0.image },
        text: { [$0.name, $0.description] }
    )
}
