import JSON
import JSONRPC
import NovaBlendSystemSodium

/// Encodes the `requestState` that a client returns with the user's answer to a question.
///
/// The server stores nothing between the two requests: the state itself contains the arguments that
/// were pinned with the question, such as the idempotency key, and the time of the question. It is not
/// encrypted, so the client can read it. A message authentication code binds it to one tool and its
/// arguments, so that the client can neither forge a state nor use it for a different call. A state
/// that is used twice yields the same key, so the call takes effect once.
struct RequestStateCodec: Sendable {
    /// What a valid state contains.
    struct State {
        var pinned: [String: JSONFragment]
        /// The time since the question, to the millisecond.
        var age: Duration
    }

    private let secret: [UInt8]
    private let now: @Sendable () -> ContinuousClock.Instant
    /// The instant from which the times of questions are counted.
    private let epoch: ContinuousClock.Instant

    /// Generates a random secret. States from other processes are invalid.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        // libsodium requires this call before any other. It returns 1 if it was called before.
        precondition(sodium_init() >= 0, "the system provides no random numbers")
        var secret = [UInt8](repeating: 0, count: Int(crypto_auth_KEYBYTES))
        crypto_auth_keygen(&secret)
        self.secret = secret
        self.now = now
        epoch = now()
    }

    /// Encodes the state to send with a question.
    func encode(
        _ pinned: [String: JSONFragment],
        tool: String,
        arguments: JSONValue?
    ) -> String {
        let members = JSONFragment.object { writer in
            for (name, value) in pinned.sorted(by: { $0.key < $1.key }) {
                writer.member(named: name, value)
            }
        }
        let payload = Self.bigEndianBytes(millisecondsSinceEpoch) + members.bytes
        return Base64.encodeURL(authenticationCode(payload, tool, arguments) + payload)
    }

    /// Returns what a state contains; nil if it was forged or was made for a different call. It may have
    /// expired.
    func decode(
        _ state: String,
        tool: String,
        arguments: JSONValue?
    ) -> State? {
        let codeSize = Int(crypto_auth_BYTES)
        guard let bytes = Base64.decodeURL(state), bytes.count >= codeSize + 8 else { return nil }
        let payload = Array(bytes[codeSize...])
        let expected = authenticationCode(payload, tool, arguments)
        guard sodium_memcmp(expected, bytes, codeSize) == 0 else { return nil }
        let time = payload[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard let members = try? JSONDocument(parsing: Array(payload[8...])).root.object() else {
            return nil
        }
        var pinned: [String: JSONFragment] = [:]
        for (name, value) in members { pinned[name] = JSONFragment { $0.value(value) } }
        let age = millisecondsSinceEpoch.subtractingReportingOverflow(time).partialValue
        return State(pinned: pinned, age: .milliseconds(Int64(clamping: age)))
    }

    private var millisecondsSinceEpoch: UInt64 {
        let (seconds, attoseconds) = (now() - epoch).components
        return UInt64(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    private func authenticationCode(
        _ payload: [UInt8],
        _ tool: String,
        _ arguments: JSONValue?
    ) -> [UInt8] {
        let arguments = arguments.map { value in
            JSONFragment { Self.writeSorted(value, to: &$0) }.bytes
        }
        // Each part is preceded by its length. Otherwise two different calls could have the same
        // bytes.
        let message = [payload, Array(tool.utf8), arguments ?? Array("{}".utf8)].flatMap {
            Self.bigEndianBytes(UInt64($0.count)) + $0
        }
        var code = [UInt8](repeating: 0, count: Int(crypto_auth_BYTES))
        crypto_auth(&code, message, UInt64(message.count), secret)
        return code
    }

    /// Writes a value with the keys of all objects sorted: a client may repeat the arguments with a
    /// different order.
    private static func writeSorted(_ value: JSONValue, to writer: inout JSONWriter) {
        if let object = try? value.object() {
            writer.object { writer in
                for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                    writer.key(key)
                    writeSorted(value, to: &writer)
                }
            }
        } else if let array = try? value.array() {
            writer.array { writer in
                for element in array { writeSorted(element, to: &writer) }
            }
        } else {
            writer.value(value)
        }
    }

    private static func bigEndianBytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }
}
