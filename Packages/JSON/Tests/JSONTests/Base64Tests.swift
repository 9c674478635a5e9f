import Foundation
import JSON
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "matches the test vectors of RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ]
    )
    func vectors(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == Array(encoded.utf8))
    }

    @Test("matches Foundation for every byte value")
    func everyByte() {
        let all = [UInt8](0...255)
        #expect(Base64.encode(all) == Array(Data(all).base64EncodedString().utf8))
    }

    @Test("for URLs round-trips, and uses only characters that are safe in a URL")
    func roundTrip() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 91 &+ 200) }
            let text = Base64.encodeURL(bytes)
            #expect(
                text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
            )
            #expect(Base64.decodeURL(text) == bytes)
        }
        #expect(Base64.encodeURL([0xFB, 0xFF]) == "-_8")
    }

    @Test(
        "for URLs rejects text that the encoder does not produce",
        arguments: ["A", "AAAAA", "-_9", "Zh", "a+b/", "AA==", "AAA=", "ä", "AA A", "AA\n", "A@AA"]
    )
    func invalid(text: String) {
        #expect(Base64.decodeURL(text) == nil)
    }

    @Test("for URLs uses 64 characters and rejects all others")
    func alphabet() {
        let digits = (0..<64).map { Base64.encodeURL([UInt8($0 << 2), 0, 0]).first }
        let expected = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        #expect(digits == expected.map(Optional.some))
        for byte in UInt8(0)..<128 {
            let character = Character(Unicode.Scalar(byte))
            let isDecoded = Base64.decodeURL("\(character)AAA") != nil
            #expect(isDecoded == expected.contains(character), "\(character)")
        }
    }
}
