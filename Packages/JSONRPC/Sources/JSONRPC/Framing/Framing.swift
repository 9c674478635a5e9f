/// A ``FramingMode`` that is known.
enum Framing: Sendable, Hashable {
    case lines
    case headers
}

/// How messages are delimited in the stream of bytes of a connection.
public enum FramingMode: String, Sendable, CaseIterable {
    /// Detected from the first byte of the input: a letter begins a header, anything else a line.
    case auto
    /// `Content-Length` headers before each message (LSP 3.17, "Base Protocol").
    case headers
    /// One message per line (JSON Lines).
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
