/// A format of images, told by the first bytes: what a server calls it proves nothing.
public enum ImageFormat: String, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png = "image/png"
    /// JPEG.
    case jpeg = "image/jpeg"
    /// GIF, 87a or 89a.
    case gif = "image/gif"
    /// WebP.
    case webp = "image/webp"
    /// AVIF, still or in a sequence.
    case avif = "image/avif"
    /// HEIC, still or in a sequence.
    case heic = "image/heic"

    /// The media type, as MIME has it.
    public var mediaType: String { rawValue }

    /// The format of an image that begins with these bytes; nil when it is none of these.
    public init?(of bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(12))
        let found = Self.signatures.first { start.starts(with: $0.bytes) }?.format
        guard let format = found ?? Self.container(start) else { return nil }
        self = format
    }

    private static let signatures: [(bytes: [UInt8], format: ImageFormat)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        ([0xFF, 0xD8, 0xFF], .jpeg),
        (Array("GIF87a".utf8), .gif),
        (Array("GIF89a".utf8), .gif),
    ]

    /// The formats within a container: its own name is at 0 or 4, theirs at 8.
    private static func container(_ start: [UInt8]) -> ImageFormat? {
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
