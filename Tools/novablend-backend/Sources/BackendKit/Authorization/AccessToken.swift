import BookingStorage
import Contract
import HTTPServing
import NovaBlendSystemSodium

/// A token as its owner has it: `nvb_`, the id, `_`, and a secret of 256 random bits, such as
/// `nvb_91e3a0c2b45d6f78_5b0c...`. It consists of characters that a shell does not interpret.
public struct AccessToken: Sendable {
    private static let prefix = "nvb_"
    private static let idBytes = 8
    private static let secretBytes = 32
    // libsodium requires this call before any other. It returns 1 if it was called before.
    private static let isReady = sodium_init() >= 0

    /// The public part, as 16 hexadecimal digits.
    public let id: String
    /// The whole token, which no one else may see.
    public let text: String
    /// A hash of the whole token (BLAKE2b, RFC 7693). The secret is random and too long to be
    /// guessed, so the hash need not be slow.
    private let digest: [UInt8]

    /// Creates a random token.
    public init() {
        precondition(Self.isReady, "the system provides no random numbers")
        id = Self.randomDigits(Self.idBytes)
        text = "\(Self.prefix)\(id)_\(Self.randomDigits(Self.secretBytes))"
        digest = Self.digest(of: text)
    }

    /// Parses a token; nil if it does not have the form of one.
    init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.prefix.dropLast(), Self.isID(parts[1]),
            Self.isDigits(parts[2], bytes: Self.secretBytes)
        else { return nil }
        id = String(parts[1])
        self.text = text
        digest = Self.digest(of: text)
    }

    /// Whether the text has the form of an id.
    public static func isID(_ text: some StringProtocol) -> Bool { isDigits(text, bytes: idBytes) }

    /// The hash of the whole token, which the database has.
    public var hash: String { Self.digits(digest) }

    /// The first 128 bits of the hash. Nothing about the token can be learned from them.
    struct Fingerprint: Hashable, Sendable {
        fileprivate let high: UInt64
        fileprivate let low: UInt64
    }

    /// Differs between tokens, also between those with the same id.
    var fingerprint: Fingerprint {
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
        return Fingerprint(high: number(digest[..<8]), low: number(digest[8..<16]))
    }

    private static func digest(of text: String) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(crypto_generichash_BYTES))
        let bytes = Array(text.utf8)
        crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
        return hash
    }

    /// Whether the token has the hash `expected`; false if that is nil. The comparison takes the
    /// same time for every hash and for nil, so its duration reveals nothing.
    func hasHash(_ expected: String?) -> Bool {
        let own = Array(hash.utf8)
        let other = Array((expected ?? String(repeating: "-", count: own.count)).utf8)
        return other.count == own.count && sodium_memcmp(own, other, own.count) == 0
    }

    private static func isDigits(_ text: some StringProtocol, bytes: Int) -> Bool {
        text.utf8.count == 2 * bytes
            && text.utf8.allSatisfy { $0.isDigit || "abcdef".utf8.contains($0) }
    }

    private static func randomDigits(_ count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return digits(bytes)
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: 2 * bytes.count + 1)
        sodium_bin2hex(&text, text.count, bytes, bytes.count)
        return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension Problem {
    /// The request has no token.
    static let missingToken = Problem(
        .notAuthenticated,
        "a token is required, as in: Authorization: Bearer nvb_..."
    )

    /// The database has no tokens, so only this machine is served.
    static let notLoopback = Problem(
        .notAuthenticated,
        "without tokens, only programs on the machine of the backend are served; create a token "
            + "with novablend-backend tokens create"
    )

    /// While the database has no tokens, a request that a web page has caused must not count as
    /// local.
    static let foreignHost = Problem(
        .foreignHost,
        "without tokens, the host must be localhost, a loopback address, or that of --public-url"
    )

    static func malformedCredentials(_ message: String) -> Problem {
        Problem(.malformedRequest, message, tokenError: "invalid_request")
    }
}

extension ServerRequest {
    /// The token in `Authorization` (RFC 6750, section 2.1); nil if the field is absent or has a
    /// different scheme. Throws `malformedRequest` if there is more than one field, or if anything
    /// other than a token follows the scheme.
    func bearerToken() throws(Problem) -> String? {
        let fields = headers.values(of: "Authorization")
        guard let field = fields.first else { return nil }
        guard fields.count == 1 else {
            throw .malformedCredentials("there is more than one Authorization field")
        }
        let space = UInt8(ascii: " ")
        let scheme = field.utf8.prefix { $0 != space }
        // ASCII letters become lower case.
        guard scheme.elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        let token = field.utf8.dropFirst(scheme.count).drop { $0 == space }
        guard Self.isToken(token) else {
            throw .malformedCredentials("the Authorization field must be Bearer and a token")
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// Whether the text is a `b64token`.
    private static func isToken(_ text: Substring.UTF8View) -> Bool {
        let unpadded = text.reversed().drop { $0 == UInt8(ascii: "=") }
        return !unpadded.isEmpty
            && unpadded.allSatisfy {
                $0.isDigit || $0.isASCIILetter || "-._~+/".utf8.contains($0)
            }
    }
}
