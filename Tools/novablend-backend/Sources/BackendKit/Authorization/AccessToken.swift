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
