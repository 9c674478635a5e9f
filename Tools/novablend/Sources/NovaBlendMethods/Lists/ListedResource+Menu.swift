import Contract
import Domain

extension ListedResource {
    /// The menu.
    public static let menu = ListedResource(
        "menu",
        title: "List the menu",
        codec: MenuCodec.self,
        policy: .menu,
        image: { $0.image },
        text: { [$0.name, $0.description] }
    )
}
