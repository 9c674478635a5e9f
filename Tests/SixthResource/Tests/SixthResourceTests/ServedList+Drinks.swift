import BackendKit
import Contract
import Domain

/// Step 6: the list that the reference backend serves.
extension ServedList {
    static let drinks = ServedList("drinks", codec: DrinkListCodec.self) { baseURL in
        ["Espresso", "Mate", "Water"].enumerated().map { index, name in
            Drink(
                id: Identifier(high: 6, low: UInt64(index)),
                name: name,
                image: ImageURL("\(baseURL)/images/ink.png")
            )
        }
    }
}
