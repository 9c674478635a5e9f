/// A token that satisfies RFC 6750, section 2.1 (`b64token`), so it cannot contain a line break
/// that would end its header field.
public struct BearerToken: Sendable, Hashable {
    /// The secret. Use it only in requests.
    let secret: String

    /// The maximum length of a token, in bytes. Servers often limit all headers together to 8 KiB.
    static let maximumLength = 8_000

    /// Reads the first line of `text` without surrounding white space; nil if that is not a token.
    init?(firstLineOf text: some StringProtocol) {
        let line = text.prefix { $0 != "\n" && $0 != "\r\n" }.drop { $0.isWhitespace }
        let end = line.lastIndex { !$0.isWhitespace }.map(line.index(after:))
        let word = line[..<(end ?? line.startIndex)]
        let body = word.prefix { $0 != "=" }
        guard !body.isEmpty, word.utf8.count <= Self.maximumLength,
            body.utf8.allSatisfy(Self.isTokenByte),
            word[body.endIndex...].allSatisfy({ $0 == "=" })
        else { return nil }
        secret = String(word)
    }

    /// Reads the value of `NOVABLEND_TOKEN`. Throws if it is not a token.
    public init(environment value: String) throws(CredentialError) {
        guard let token = BearerToken(firstLineOf: value) else {
            throw .malformed("NOVABLEND_TOKEN")
        }
        self = token
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
    /// A placeholder, because the token is secret.
    public var description: String { "(hidden)" }
    /// A placeholder, because the token is secret.
    public var debugDescription: String { description }
}
