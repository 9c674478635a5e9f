import JSON
import JSONRPC
import NovaBlendSystemSodium

/// Authenticates the state that a client carries from a question to its answer, so that the server
/// need not store it and the client cannot forge it.
///
/// A state is valid for one tool with the same arguments, and expires. It contains the idempotency
/// key of the call, so that a state that is used twice does not act twice.
struct Confirmations: Sendable {
    static let lifetime = Duration.seconds(600)

    private let key: [UInt8]
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant

    /// Makes a key that no other process has.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        // It returns 1 if it was called before. No other function may be called without it.
        precondition(sodium_init() >= 0, "the system has no random numbers")
        var key = [UInt8](repeating: 0, count: Int(crypto_auth_KEYBYTES))
        crypto_auth_keygen(&key)
        self.key = key
        self.now = now
        start = now()
    }

    /// Makes the state to send with a question.
    func seal(_ idempotencyKey: String, tool: String, arguments: JSONValue?) -> String {
        let claims = Self.bytes(age(after: Self.lifetime)) + Array(idempotencyKey.utf8)
        return Base64.encodeURL(tag(claims, tool, arguments) + claims)
    }

    /// Returns the idempotency key in a state; nil if the state was forged, was made for a different
    /// call, or has expired.
    func open(_ state: String, tool: String, arguments: JSONValue?) -> String? {
        let tagBytes = Int(crypto_auth_BYTES)
        guard let sealed = Base64.decodeURL(state), sealed.count >= tagBytes + 8 else { return nil }
        let claims = Array(sealed[tagBytes...])
        let expected = tag(claims, tool, arguments)
        guard sodium_memcmp(expected, sealed, tagBytes) == 0 else { return nil }
        let expiry = claims[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard age(after: .zero) < expiry else { return nil }
        return String(decoding: claims[8...], as: UTF8.self)
    }

    /// The age of this value in seconds, `duration` from now.
    private func age(after duration: Duration) -> UInt64 {
        UInt64(clamping: (now() - start + duration).components.seconds)
    }

    private func tag(_ claims: [UInt8], _ tool: String, _ arguments: JSONValue?) -> [UInt8] {
        let arguments = arguments.map(Self.canonical) ?? Array("{}".utf8)
        // Each part with its length, so that no part can extend into the next.
        let message = [claims, Array(tool.utf8), arguments].flatMap {
            Self.bytes(UInt64($0.count)) + $0
        }
        var tag = [UInt8](repeating: 0, count: Int(crypto_auth_BYTES))
        crypto_auth(&tag, message, UInt64(message.count), key)
        return tag
    }

    /// The arguments in one form: clients may send their members in a different order.
    private static func canonical(_ arguments: JSONValue) -> [UInt8] {
        guard let object = try? arguments.object() else {
            return JSONFragment { $0.value(arguments) }.bytes
        }
        return JSONFragment { writer in
            writer.object { writer in
                for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                    writer.member(key, JSONFragment { $0.value(value) })
                }
            }
        }.bytes
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }
}
