/// How messages are told apart on a stream of bytes.
public enum Framing: Sendable, Hashable {
    /// One message a line, as JSON Lines and MCP have it.
    case lines
    /// `Content-Length` headers before each message, as LSP has it.
    case headers
}

/// Which framing a server speaks.
public enum FramingMode: String, Sendable, CaseIterable {
    /// Told by the first byte of the connection: a letter begins a header, all else a line.
    case auto
    /// ``Framing/headers``
    case headers
    /// ``Framing/lines``
    case lines
}
