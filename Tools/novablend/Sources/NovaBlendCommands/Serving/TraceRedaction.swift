import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendMethods

/// Hides personal data and secrets in a message.
///
/// Hiding the values of certain keys is not enough: a text can be anything, such as a calendar with
/// notes or an error with a URL, and it can arrive under any key. So a text is only shown if it is one
/// of the program's own words, a time, a date, or a UUID, or a path of these.
struct TraceRedaction: Sendable {
    private static let hidden = "(hidden)"
    /// Larger numbers are hidden, because they can be phone numbers. A shorter phone number is hidden
    /// only under a personal key: too many other numbers are as short.
    private static let maximumNumber = 999_999.0

    /// The texts that can be shown.
    private let words: Set<String>

    init(words: Set<String>) { self.words = words }

    /// Creates a redaction that shows the names of the methods and notifications in `table`, and
    /// the texts in their descriptions.
    init(describing table: MethodTable) async {
        var words = Self.protocolWords.union(table.methods.map(\.name))
            .union(table.notifications)
        let descriptions = Self.descriptions.map { ($0, Self.stateless) }
        for (method, params) in [(Discovery.discover, "{}")] + descriptions {
            let description = try? await table.call(
                method,
                JSONFragment(trusted: Array(params.utf8))
            )
            guard let bytes = description?.bytes,
                let root = try? JSONDocument(parsing: bytes).root
            else { continue }
            Self.addTexts(in: root, to: &words)
        }
        self.init(words: words)
    }

    /// The message with its structure, but without what must be hidden. A message that cannot be parsed
    /// is hidden completely.
    func redacted(_ message: [UInt8]) -> [UInt8] {
        guard let root = try? JSONDocument(parsing: message).root else {
            return Array("\"\(message.count) bytes that are not JSON\"".utf8)
        }
        return JSONFragment { redact(root, isMessage: true, to: &$0) }.bytes
    }

    /// Copies a value. A message is an object with an id, which is shown, or a batch of them.
    private func redact(
        _ value: JSONValue,
        isMessage: Bool = false,
        isPersonal: Bool = false,
        to writer: inout JSONWriter
    ) {
        switch value.kind {
        case .object:
            writer.object { writer in
                guard let object = try? value.object() else { return }
                for (key, member) in object {
                    writer.key(Self.isName(key) ? key : Self.hidden)
                    if isMessage, key == "id", [.string, .number].contains(member.kind) {
                        writer.value(member)
                    } else {
                        // Such values are hidden even if they look harmless, such as a birthday.
                        let hides = Schemas.personal.contains(key.lowercased())
                        redact(member, isPersonal: hides, to: &writer)
                    }
                }
            }
        case .array:
            writer.array { writer in
                guard let array = try? value.array() else { return }
                for element in array {
                    redact(element, isMessage: isMessage, isPersonal: isPersonal, to: &writer)
                }
            }
        case .string:
            let text = (try? value.string()) ?? ""
            writer.string(isPersonal ? Self.hidden : redacted(text: text))
        case .number where isPersonal || !Self.isSmall(value): writer.integer(0)
        case .number, .bool, .null: writer.value(value)
        }
    }

    /// Redacts a text. MCP puts JSON in texts, and some clients encode it more than once.
    private func redacted(text: String) -> String {
        if isHarmless(text) { return text }
        guard let start = text.utf8.first(where: { $0 > 0x20 }), "{[\"".utf8.contains(start),
            let inner = try? JSONDocument(parsing: Array(text.utf8)).root
        else { return Self.hidden }
        return JSONFragment { redact(inner, to: &$0) }.description
    }

    private func isHarmless(_ text: String) -> Bool {
        if words.contains(text) || SalonID(text) != nil { return true }
        // The URI of a resource.
        let parts = text.split(separator: "/")
        if parts.count > 1 { return parts.allSatisfy { isHarmless(String($0)) } }
        var text = text
        return text.withUTF8 {
            ISO8601.parseRequested($0) != nil || ISO8601.parseDate($0) != nil
        }
    }

    /// Whether a key can be a name in a program, unlike a phone number or an email address.
    private static func isName(_ key: String) -> Bool {
        guard let first = key.utf8.first, !"0123456789-".utf8.contains(first) else { return false }
        return key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            default: "0123456789_$-./".utf8.contains(byte)
            }
        }
    }

    private static func isSmall(_ number: JSONValue) -> Bool {
        (try? number.number()).map { abs($0) <= maximumNumber } ?? false
    }
}

extension TraceRedaction {
    /// Words of JSON-RPC and MCP that no description contains.
    private static let protocolWords: Set<String> = [
        "2.0", "text", "image", "user", "assistant", "application/json", "text/plain",
        "image/png", "form", "accept", "decline", "cancel", "complete", "input_required", "public",
        "private", "begin", "report", "end", "novablend", "novablend:", "confirm", "elicitation",
        "create", "invalidParams", "overloaded", "inputEnded",
    ]

    /// The methods that describe what the program offers.
    private static let descriptions = [
        "tools/list", "resources/list", "resources/templates/list", "prompts/list",
    ]

    /// The params of a request without a handshake.
    private static let stateless = """
        {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", \
        "io.modelcontextprotocol/clientCapabilities": {}}}
        """

    private static func addTexts(in value: JSONValue, to words: inout Set<String>) {
        switch value.kind {
        case .object:
            guard let object = try? value.object() else { return }
            for (key, member) in object {
                words.insert(key)
                addTexts(in: member, to: &words)
            }
        case .array:
            guard let array = try? value.array() else { return }
            for element in array { addTexts(in: element, to: &words) }
        case .string: if let text = try? value.string() { words.insert(text) }
        case .number, .bool, .null: break
        }
    }
}
