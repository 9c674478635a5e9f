import Contract
import Testing

@Suite("The format of an image")
struct ImageFormatTests {
    @Test(
        "is detected from its first bytes",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            (Array("GIF87a".utf8), "image/gif"), (Array("GIF89a".utf8), "image/gif"),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), "image/webp"),
            ([0, 0, 0, 32] + Array("ftypavif".utf8), "image/avif"),
            ([0, 0, 0, 24] + Array("ftypheic".utf8), "image/heic"),
        ] as [([UInt8], String)]
    )
    func detected(bytes: [UInt8], mediaType: String) {
        #expect(ImageData(bytes)?.format.mediaType == mediaType)
        #expect(ImageFormat(of: bytes[...])?.mediaType == mediaType)
    }

    @Test(
        "is unknown for other data",
        arguments: ["", "<html>", "<svg/>", "GIF", "RIFF1234WAVE", "RIFF1234WEB", "\u{0}PNG", "BM"]
    )
    func others(text: String) {
        #expect(ImageData(Array(text.utf8)) == nil)
    }

    @Test("is unknown if the signature is truncated or the container has a different format")
    func truncated() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A]
        #expect(ImageFormat(of: png) == nil && ImageFormat(of: [0xFF, 0xD8] as [UInt8]) == nil)
        #expect(ImageFormat(of: [0, 0, 0, 8] + Array("ftypmp42".utf8)) == nil)
    }
}
