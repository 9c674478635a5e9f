public import JSON

/// The content of a resource.
public enum ResourceBody: Sendable, Hashable {
    /// A text.
    case text(String)
    /// Binary data, which is sent in base64.
    case blob([UInt8])

    /// Creates a text that contains a JSON value.
    public static func json(_ value: JSONFragment) -> ResourceBody { .text(value.description) }

    /// Writes the member `text` or `blob` of a resource's contents.
    func writeMember(to writer: inout JSONWriter) {
        switch self {
        case .text(let text): writer.member("text", text)
        case .blob(let bytes):
            writer.key("blob")
            // Base64 needs no escapes.
            let quote = [UInt8(ascii: "\"")]
            writer.raw(quote + Base64.encode(bytes) + quote)
        }
    }
}
