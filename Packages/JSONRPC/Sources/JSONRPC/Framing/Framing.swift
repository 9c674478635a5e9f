/// How messages are delimited in a stream of bytes.
public enum Framing: Sendable, Hashable {
    /// One message per line (JSON Lines).
    case lines
    /// `Content-Length` headers before each message (LSP 3.17, "Base Protocol").
    case headers
}

/// Which framing a server accepts.
public enum FramingMode: String, Sendable, CaseIterable {
    /// Detected from the first byte: a letter begins a header, anything else a line.
    case auto
    /// ``Framing/headers``
    case headers
    /// ``Framing/lines``
    case lines
}
