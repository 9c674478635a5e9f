import Glibc
import JSON
import JSONRPC
import NovaBlendSystemSodium

/// Seals what a client carries from a question to its answer, so that the server need not remember
/// it and the client cannot make it up.
///
/// A state belongs to one tool with the same arguments, and expires. It carries the idempotency key
/// of the call, so that a state that is used twice does not act twice.
struct Confirmations: Sendable {
    static let lifetimeSeconds = 600

    private let key: [UInt8]
    private let now: @Sendable () -> Int

    /// Makes a key of its own, which no other process has.
    init(now: @escaping @Sendable () -> Int = Self.uptime) {
        // Returns 1 when it was done before; without it no other function may be called.
        precondition(sodium_init() >= 0, "the system gives no random numbers")
        var key = [UInt8](repeating: 0, count: Int(crypto_auth_KEYBYTES))
        crypto_auth_keygen(&key)
        self.key = key
        self.now = now
    }

    /// The state to send along with a question.
    func seal(_ idempotencyKey: String, tool: String, arguments: JSONValue?) -> String {
        let expiry = UInt64(clamping: now() + Self.lifetimeSeconds)
        let claims = Self.bytes(expiry) + Array(idempotencyKey.utf8)
        return Self.encode(tag(claims, tool, arguments) + claims)
    }

    /// The idempotency key that was sealed; nil when the state is not ours, was made for another
    /// call, or has expired.
    func open(_ state: String, tool: String, arguments: JSONValue?) -> String? {
        let tagBytes = Int(crypto_auth_BYTES)
        guard let sealed = Self.decode(state), sealed.count >= tagBytes + 8 else { return nil }
        let claims = Array(sealed[tagBytes...])
        let expected = tag(claims, tool, arguments)
        guard sodium_memcmp(expected, sealed, tagBytes) == 0 else { return nil }
        let expiry = claims[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard UInt64(clamping: now()) < expiry else { return nil }
        return String(decoding: claims[8...], as: UTF8.self)
    }

    private func tag(_ claims: [UInt8], _ tool: String, _ arguments: JSONValue?) -> [UInt8] {
        let arguments = arguments.map(Self.canonical) ?? Array("{}".utf8)
        // Each part with its length, so that none can run into the next.
        let message = [claims, Array(tool.utf8), arguments].flatMap {
            Self.bytes(UInt64($0.count)) + $0
        }
        var tag = [UInt8](repeating: 0, count: Int(crypto_auth_BYTES))
        crypto_auth(&tag, message, UInt64(message.count), key)
        return tag
    }

    /// The arguments in one form: clients may send their members in another order.
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

    private static let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING

    private static func encode(_ bytes: [UInt8]) -> String {
        let size = sodium_base64_encoded_len(bytes.count, variant)
        var text = [CChar](repeating: 0, count: size)
        sodium_bin2base64(&text, size, bytes, bytes.count, variant)
        return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func decode(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: text.utf8.count)
        var count = 0
        let status = sodium_base642bin(
            &bytes,
            bytes.count,
            text,
            text.utf8.count,
            nil,
            &count,
            nil,
            variant
        )
        return status == 0 ? Array(bytes[..<count]) : nil
    }

    static let uptime: @Sendable () -> Int = {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }
}
