public import JSON

/// The content of a resource.
public enum ResourceBody: Sendable, Hashable {
    /// Text.
    case text(String)
    /// Bytes. They are sent in base64.
    case blob([UInt8])

    /// A JSON value, as text.
    public static func json(_ value: JSONFragment) -> ResourceBody { .text(value.description) }

    /// Writes the member of a resource's contents.
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
