import Contract
import Domain
import NovaBlendEngine

/// Step 4: the methods of the client.
extension ListedResource {
    static let drinks = ListedResource(
        "drinks",
        title: "List drinks",
        codec: DrinkListCodec.self,
        policy: .drinks,
        image: { $0.image },
        text: { [$0.name] }
    )
}
