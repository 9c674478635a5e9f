/// How messages are delimited in the stream of bytes of a connection.
public enum FramingMode: String, Sendable, CaseIterable {
    /// Detected from the first byte of the input that is not white space: a letter begins a header,
    /// anything else a line. Until then, messages are sent as lines.
    case auto
    /// `Content-Length` headers before each message (LSP 3.17, "Base Protocol").
    case headers
    /// One message per line (JSON Lines).
    case lines
}
