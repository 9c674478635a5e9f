import Contract
import Domain
import Glibc
import JSON
public import JSONRPC

/// A file that mirrors both directions of a connection, with times and without what identifies a
/// customer. Readable by this user alone.
public struct TraceFile: Sendable {
    /// The file could not be opened.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// Why.
        public let description: String
    }

    private static let secrets: Set<String> = ["phone", "email"]
    private static let hidden = "(hidden)"

    private let descriptor: Int32

    /// Opens `path` for appending; it is not followed when it is a link.
    public init(path: String) throws(Failure) {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
        descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "--trace \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Adds one message: the time, the direction, and the message in a line.
    public func note(_ direction: StdioServer.Direction, _ message: [UInt8]) {
        let now = AppointmentTime(instant: SystemClock().now)
        var line = Array("\(ISO8601.format(now)) \(direction == .sent ? "<--" : "-->") ".utf8)
        line += Self.redacted(message)
        line.append(UInt8(ascii: "\n"))
        // One call a line: appending is atomic between the threads that trace.
        _ = write(descriptor, line, line.count)
    }

    /// The message with the values of `phone` and `email` hidden at any depth. What cannot be read
    /// is hidden whole, since nobody knows what is in it.
    static func redacted(_ message: [UInt8]) -> [UInt8] {
        guard let root = try? JSONDocument(parsing: message).root else {
            return Array("\"\(message.count) bytes that are no JSON\"".utf8)
        }
        return JSONFragment { redact(root, to: &$0) }.bytes
    }

    /// Keeps the shape, so that a trace can be read as the messages that they were.
    private static func redact(
        _ value: JSONValue,
        isSecret: Bool = false,
        to writer: inout JSONWriter
    ) {
        if let object = try? value.object() {
            writer.object { writer in
                for (key, member) in object {
                    writer.key(key)
                    let hides = isSecret || Self.isSecret(key, member)
                    redact(member, isSecret: hides, to: &writer)
                }
            }
        } else if let array = try? value.array() {
            writer.array { writer in
                for element in array { redact(element, isSecret: isSecret, to: &writer) }
            }
        } else if let text = try? value.string() {
            writer.string(isSecret ? hidden : redacted(text: text))
        } else if isSecret, value.kind == .number {
            writer.integer(0)
        } else {
            writer.value(value)
        }
    }

    /// MCP carries JSON as text within JSON.
    private static func redacted(text: String) -> String {
        guard text.first == "{", let inner = try? JSONDocument(parsing: Array(text.utf8)).root
        else { return text }
        return JSONFragment { redact(inner, to: &$0) }.description
    }

    /// Params by position have no names by which to tell what is secret.
    private static func isSecret(_ key: String, _ value: JSONValue) -> Bool {
        secrets.contains(key) || key == "params" && value.kind == .array
    }
}
