/// How messages are delimited in the stream of bytes of a connection.
public enum FramingMode: String, Sendable, CaseIterable {
    /// Detected from the first word of the input, after white space: a colon that follows it makes it a
    /// header. Otherwise, each line is a message. Until then, messages are sent as lines.
    case auto
    /// `Content-Length` headers before each message (LSP 3.17, "Base Protocol").
    case headers
    /// One message per line (JSON Lines).
    case lines
}
