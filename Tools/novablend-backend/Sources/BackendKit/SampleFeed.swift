import Contract
import Domain

extension ServedList {
    /// Images of haircuts. Each is a square of one color.
    public static let feed = ServedList("feed", codec: FeedCodec.self) { baseURL in
        samples.enumerated().compactMap { index, sample in
            ImageURL("\(baseURL)/images/\(sample.color).png").map { url in
                FeedImage(
                    id: Identifier(
                        high: 0xFEED_0000_0000_4000,
                        low: 0x8000_0000_0000_0001 + UInt64(index)
                    ),
                    description: sample.description,
                    location: sample.location,
                    url: url
                )
            }
        }
    }

    private static let samples: [(color: String, description: String?, location: String?)] = [
        ("copper", "Copper, freshly done", "Torstraße, Berlin"),
        ("chestnut", "Back to chestnut", nil),
        ("silver", nil, "Temple Bar, Dublin"),
        ("teal", "Teal for the summer", "København"),
        ("plum", nil, nil),
        ("honey", "Honey, in the sun", "Hortaleza, Madrid"),
        ("ink", "Ink black", "Exmouth Market, London"),
    ]
}
