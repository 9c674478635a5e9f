/// Something on the menu (seed 004).
public struct MenuItem: Sendable, Hashable, Identifiable {
    /// Which it is.
    public var id: Identifier
    /// What it is called.
    public var name: String
    /// What is in it.
    public var description: String?
    /// Where the data of its image is.
    public var image: ImageURL?

    /// Makes an item.
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
