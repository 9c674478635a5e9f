/// The images that the sample data points at: squares of one colour, made when asked for.
enum SampleImages {
    private static let colours: [String: (red: UInt8, green: UInt8, blue: UInt8)] = [
        "copper": (0xB8, 0x73, 0x33), "chestnut": (0x7B, 0x3F, 0x00), "silver": (0xC0, 0xC0, 0xC0),
        "teal": (0x00, 0x80, 0x80), "plum": (0x8E, 0x45, 0x85), "honey": (0xEB, 0x96, 0x05),
        "ink": (0x1A, 0x1A, 0x24),
    ]

    /// The PNG of that file name; nil when there is none.
    static func png(named file: String) -> [UInt8]? {
        guard file.hasSuffix(".png") else { return nil }
        return colours[String(file.dropLast(4))].map(PNG.square)
    }
}
