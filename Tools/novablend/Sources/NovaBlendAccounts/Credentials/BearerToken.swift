/// A token in the form of RFC 6750, section 2.1 (`b64token`), which cannot end its header.
package struct BearerToken: Sendable, Hashable {
    /// The secret. It goes into requests and nowhere else.
    let secret: String

    /// The longest token, in bytes; servers accept headers of 8 KiB in all.
    static let longest = 8_000

    /// Takes the first line of `text`, without white space around it; nil if that is not a token.
    init?(firstLineOf text: some StringProtocol) {
        let line = text.prefix { $0 != "\n" && $0 != "\r\n" }.drop { $0.isWhitespace }
        let end = line.lastIndex { !$0.isWhitespace }.map(line.index(after:))
        let word = line[..<(end ?? line.startIndex)]
        let body = word.prefix { $0 != "=" }
        guard !body.isEmpty, word.utf8.count <= Self.longest,
            body.utf8.allSatisfy(Self.isTokenByte),
            word[body.endIndex...].allSatisfy({ $0 == "=" })
        else { return nil }
        secret = String(word)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/".utf8.contains(byte)
        }
    }
}

extension BearerToken: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "(hidden)" }
    package var debugDescription: String { description }
}
