/// How messages are delimited in a stream of bytes.
public enum Framing: Sendable, Hashable {
    /// One message per line (JSON Lines).
    case lines
    /// `Content-Length` headers before each message (LSP 3.17, "Base Protocol").
    case headers
}

/// Which framing a connection uses.
public enum FramingMode: String, Sendable, CaseIterable {
    /// Detected from the first byte: a letter begins a header, anything else a line.
    case auto
    /// ``Framing/headers``
    case headers
    /// ``Framing/lines``
    case lines

    /// The framing; nil if it must be detected.
    var framing: Framing? {
        switch self {
        case .auto: nil
        case .headers: .headers
        case .lines: .lines
        }
    }
}
