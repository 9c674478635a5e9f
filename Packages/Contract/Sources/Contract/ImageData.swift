/// The bytes of an image and their format.
public struct ImageData: Sendable, Hashable {
    /// The bytes as they were received.
    public let bytes: [UInt8]
    /// The format of the bytes.
    public let format: ImageFormat

    /// Creates an image; nil if the bytes have none of the known formats.
    public init?(_ bytes: [UInt8]) {
        guard let format = ImageFormat(of: bytes) else { return nil }
        self.bytes = bytes
        self.format = format
    }
}
