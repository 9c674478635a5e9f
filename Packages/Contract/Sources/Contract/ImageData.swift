/// An image: its bytes, and the format that they show.
public struct ImageData: Sendable, Hashable {
    /// The bytes, as they came.
    public let bytes: [UInt8]
    /// What they are.
    public let format: ImageFormat

    /// Takes the bytes of an image; nil when they are none of the known formats.
    public init?(_ bytes: [UInt8]) {
        guard let format = ImageFormat(of: bytes) else { return nil }
        self.bytes = bytes
        self.format = format
    }
}
