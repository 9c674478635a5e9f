import Domain

/// Step 1: the model.
struct Drink: Sendable, Hashable, Identifiable {
    var id: Identifier
    var name: String
    var image: ImageURL?
}
