/// The images that the sample data refers to: squares of one color, created on request.
enum SampleImages {
    private static let colors: [String: (red: UInt8, green: UInt8, blue: UInt8)] = [
        "copper": (0xB8, 0x73, 0x33), "chestnut": (0x7B, 0x3F, 0x00), "silver": (0xC0, 0xC0, 0xC0),
        "teal": (0x00, 0x80, 0x80), "plum": (0x8E, 0x45, 0x85), "honey": (0xEB, 0x96, 0x05),
        "ink": (0x1A, 0x1A, 0x24),
    ]

    /// The file names of all images.
    static let names = colors.keys.sorted().map { $0 + ".png" }

    /// The image with the file name; nil if it does not exist.
    static func png(named file: String) -> [UInt8]? {
        guard file.hasSuffix(".png") else { return nil }
        return colors[String(file.dropLast(4))].map(PNG.square)
    }
}
