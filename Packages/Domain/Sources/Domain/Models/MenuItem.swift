/// An item on the menu.
public struct MenuItem: Sendable, Hashable, Identifiable {
    /// The identifier.
    public var id: Identifier
    /// The name.
    public var name: String
    /// A description of the item.
    public var description: String?
    /// The URL of the item's image.
    public var image: ImageURL?

    /// Creates an item.
    public init(
        id: Identifier,
        name: String,
        description: String? = nil,
        image: ImageURL? = nil
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.image = image
    }
}
