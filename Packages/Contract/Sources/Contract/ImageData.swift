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

/// An image format, detected from the first bytes, because a server's `Content-Type` may be wrong.
public enum ImageFormat: String, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png = "image/png"
    /// JPEG.
    case jpeg = "image/jpeg"
    /// GIF, 87a or 89a.
    case gif = "image/gif"
    /// WebP.
    case webp = "image/webp"
    /// AVIF, a still image or a sequence.
    case avif = "image/avif"
    /// HEIC, a still image or a sequence.
    case heic = "image/heic"

    /// The MIME type, such as `image/png`.
    public var mediaType: String { rawValue }

    /// The format of an image that begins with `bytes`; nil if it is unknown. 12 bytes are enough.
    public init?(of bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(12))
        let match = Self.signatures.first { start.starts(with: $0.bytes) }?.format
        guard let format = match ?? Self.formatInContainer(start) else { return nil }
        self = format
    }

    private static let signatures: [(bytes: [UInt8], format: ImageFormat)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        ([0xFF, 0xD8, 0xFF], .jpeg),
        (Array("GIF87a".utf8), .gif),
        (Array("GIF89a".utf8), .gif),
    ]

    /// The format in a RIFF or ISO media container. The container's name is at byte 0 or 4, and the
    /// format's at byte 8.
    private static func formatInContainer(_ start: [UInt8]) -> ImageFormat? {
        guard start.count == 12 else { return nil }
        let kind = start[8...]
        if start.starts(with: "RIFF".utf8), kind.elementsEqual("WEBP".utf8) { return .webp }
        guard start[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        switch String(decoding: kind, as: UTF8.self) {
        case "avif", "avis": return .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx": return .heic
        default: return nil
        }
    }
}
