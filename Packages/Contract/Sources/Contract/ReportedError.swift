public import JSON

/// What a server's response says about an error.
///
/// It reads the contract's `error` and `message`, problem details (RFC 9457), OAuth errors (RFC 6749),
/// the errors of FastAPI and Django, lists of errors, and plain text.
public struct ReportedError: Sendable, Hashable {
    /// The name of the error, such as `slotUnavailable`; nil if the response has none.
    public var name: String?
    /// The server's own words, on one line and of limited length; nil if the response has none.
    public var message: String?
    /// Whether the server says that it is still processing an earlier request under the same key.
    public var isInProgress = false

    /// The maximum length of a server's text that is passed on, in characters.
    static let maximumLength = 300
    /// The members that may contain the server's words, the best ones first.
    private static let keys: [StaticString] = [
        "message", "detail", "title", "error_description", "msg", "errors", "error",
    ]
    /// The names that say that an earlier request is still being processed.
    private static let progressNames = ["stillProcessing", "idempotency_key_in_use"]

    /// Reads an error from the body of a response. `isText` means that a body that is not JSON is
    /// text for people.
    public init(_ body: [UInt8], isText: Bool) {
        if let root = try? JSONDocument(parsing: body).root {
            self.init(root)
        } else {
            self.init(message: isText ? Self.line(String(decoding: body, as: UTF8.self)) : nil)
        }
    }

    private init(message: String?) { self.message = message }

    /// Reads an error from a JSON value.
    public init(_ root: JSONValue) {
        message = Self.words(in: root, depth: 4)
        guard let object = try? root.object() else { return }
        let error = object.optional("error")
        name = Self.text(error).flatMap(Self.line)
        // An error with only a name has no words.
        if message == name { message = nil }
        let inner = try? error?.object()
        let names = [error, inner?["code"], inner?["type"], object["code"]].map(Self.text)
        isInProgress =
            names.contains { $0.map(Self.progressNames.contains) ?? false }
            || [object["type"], object["title"]].contains {
                Self.text($0)?.lowercased().contains("idempoten") ?? false
            }
    }

    /// What to show to people: the message, or else the name; nil if there is neither.
    public var words: String? { message ?? name }

    /// The error inside a response that is not an error by its status; nil if it contains none.
    init?(in object: JSONObject) {
        let isError = ["error", "errors"].contains { (key: StaticString) in
            object.optional(key).map { !$0.isEmptyArray } ?? false
        }
        let isDenied = ["ok", "success"].contains { (key: StaticString) in
            (try? object.optional(key)?.bool()) == false
        }
        guard isError || isDenied else { return nil }
        self.init(object.value)
    }

    private static func words(in value: JSONValue, depth: Int) -> String? {
        guard depth > 0 else { return nil }
        switch value.kind {
        case .string: return text(value).flatMap(line)
        case .array:
            return (try? value.array())?.first { _ in true }.flatMap {
                words(in: $0, depth: depth - 1)
            }
        case .object:
            guard let object = try? value.object() else { return nil }
            for key in keys {
                if let member = object[key], let words = words(in: member, depth: depth - 1) {
                    return words
                }
            }
            return nil
        default: return nil
        }
    }

    private static func text(_ value: JSONValue?) -> String? { try? value?.string() }

    /// `text` on one line; nil if it is empty.
    private static func line(_ text: String) -> String? {
        let trimmed = text.drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }
        guard let end else { return nil }
        return VisibleText.line(String(trimmed[...end]), maximum: maximumLength)
    }
}

extension JSONValue {
    fileprivate var isEmptyArray: Bool {
        (try? array())?.first { _ in true } == nil && kind == .array
    }
}
