import SystemSupport
import Testing

@Suite struct SystemTextTests {
    private func bytes(_ text: String) -> [UInt8] {
        text.systemBytes.dropLast().map { UInt8(bitPattern: $0) }
    }

    @Test(
        arguments: [
            [], Array("/home/ada".utf8), Array("/häuser/美容/💈/e\u{301}".utf8), [0x80], [0xFF],
            [0xC3], [0xC3, 0x28], [0x2F, 0xE4, 0x2F, 0xC3, 0xA4], [0xF0, 0x9F, 0x92],
            [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80],
            Array("\u{10FE7F}\u{10FE80}\u{10FEFF}\u{10FF00}".utf8),
        ] as [[UInt8]]
    )
    func `Text has the same bytes as the system's, whatever they are`(original: [UInt8]) {
        #expect(bytes(String(systemBytes: original)) == original)
        var string = original.map { CChar(bitPattern: $0) } + [0]
        #expect(bytes(String(systemBytes: &string)) == original)
        #expect(string.last == 0)
    }

    @Test func `All single bytes are different texts`() {
        let texts = (UInt8(1)...255).map { String(systemBytes: [$0]) }
        #expect(Set(texts).count == 255)
        #expect(texts.filter(\.isUTF8).count == 127)
    }

    @Test func `UTF-8 stays the same text, and paths can be split and joined`() {
        #expect(String(systemBytes: Array("ä/b".utf8)) == "ä/b" && "ä/b".isUTF8)
        let path = String(systemBytes: [0x2F, 0xFF, 0x2F, 0x62])
        #expect(!path.isUTF8 && path.hasPrefix("/") && path.hasSuffix("/b"))
        #expect(bytes("/a" + path) == [0x2F, 0x61, 0x2F, 0xFF, 0x2F, 0x62])
    }
}
