import Contract
import Domain
import Glibc
import JSON
import JSONRPC
import NovaBlendAdapters

/// A file that records the messages in both directions, with times and without personal data. Only
/// this user can read it.
struct TraceFile: Sendable {
    /// The file could not be opened.
    struct Failure: Error, Sendable, CustomStringConvertible {
        let description: String
    }

    /// Keys, in lower case, whose values are personal or secret.
    private static let secrets: Set<String> = ["phone", "email", "notes", "authorization", "token"]
    private static let hidden = "(hidden)"

    private let descriptor: Int32

    /// Opens `path` for appending, unless it is a link, or a file that other users can read.
    init(path: String) throws(Failure) {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
        descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "--trace \(path): \(String(cString: strerror(errno)))")
        }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let isFile = status.st_mode & S_IFMT == S_IFREG
        guard isKnown, !isFile || status.st_mode & 0o077 == 0 else {
            close(descriptor)
            throw Failure(
                description: "--trace \(path): other users can read or write it; "
                    + "chmod 600 '\(path)'"
            )
        }
    }

    /// Appends a line with the time, the direction, and the message.
    func append(_ direction: Connection.Direction, _ message: [UInt8]) {
        let now = ISO8601.formatUTC(SystemClock().now)
        var line = Array("\(now) \(direction == .sent ? "<--" : "-->") ".utf8)
        line += Self.redacted(message)
        line.append(UInt8(ascii: "\n"))
        // One call per line, because several threads append.
        _ = write(descriptor, line, line.count)
    }

    /// The message with personal data and secrets hidden at any depth, including JSON in strings. A
    /// message that cannot be parsed is hidden completely.
    static func redacted(_ message: [UInt8]) -> [UInt8] {
        guard let root = try? JSONDocument(parsing: message).root else {
            return Array("\"\(message.count) bytes that are not JSON\"".utf8)
        }
        return JSONFragment { redact(root, to: &$0) }.bytes
    }

    /// Copies a value. Retains its structure and hides its secrets.
    private static func redact(
        _ value: JSONValue,
        isSecret: Bool = false,
        to writer: inout JSONWriter
    ) {
        switch value.kind {
        case .object:
            writer.object { writer in
                guard let object = try? value.object() else { return }
                // The question before a booking shows the personal data that will be stored.
                let isQuestion = object["requestedSchema"] != nil
                for (key, member) in object {
                    writer.key(key)
                    let hides =
                        isSecret || Self.isSecret(key, member) || isQuestion && key == "message"
                    redact(member, isSecret: hides, to: &writer)
                }
            }
        case .array:
            writer.array { writer in
                guard let array = try? value.array() else { return }
                for element in array { redact(element, isSecret: isSecret, to: &writer) }
            }
        case .string: writer.string(isSecret ? hidden : redacted(text: (try? value.string()) ?? ""))
        case .number where isSecret: writer.integer(0)
        case .number, .bool, .null: writer.value(value)
        }
    }

    /// Redacts JSON in a string. MCP puts JSON in strings, and some clients encode it more than
    /// once.
    private static func redacted(text: String) -> String {
        let start = text.utf8.first { $0 > 0x20 }
        guard let start,
            [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(start),
            let inner = try? JSONDocument(parsing: Array(text.utf8)).root
        else { return text }
        return JSONFragment { redact(inner, to: &$0) }.description
    }

    /// Whether a member must be hidden. Positional parameters have no names that would show which
    /// of them are secret, so all of them are.
    private static func isSecret(_ key: String, _ value: JSONValue) -> Bool {
        switch key.lowercased() {
        case "params", "arguments": value.kind != .object
        case let key: secrets.contains(key)
        }
    }
}
