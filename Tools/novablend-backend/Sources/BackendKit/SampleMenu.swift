import Contract
import Domain

extension ServedList {
    /// Burgers for customers who wait.
    public static let menu = ServedList("menu", codec: MenuCodec.self) { baseURL in
        [
            item(1, "Plain burger", nil, "\(baseURL)/images/copper.png"),
            item(2, "Cheese burger", "Beef, cheddar, pickles", "\(baseURL)/images/honey.png"),
            item(3, "Beet burger", "Beetroot, goat cheese", nil),
            item(4, "Burger of the day", nil, nil),
        ]
    }

    private static func item(
        _ number: UInt64,
        _ name: String,
        _ description: String?,
        _ image: String?
    ) -> MenuItem {
        MenuItem(
            id: Identifier(high: 0xB009_0000_0000_4000, low: 0x8000_0000_0000_0000 | number),
            name: name,
            description: description,
            image: image.flatMap { ImageURL($0) }
        )
    }
}
