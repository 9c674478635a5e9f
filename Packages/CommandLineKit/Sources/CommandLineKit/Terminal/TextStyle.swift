/// How a terminal that supports color shows text.
public enum TextStyle: Int, Sendable, CaseIterable {
    case bold = 1
    case dim = 2
    case green = 32

    /// `text` between the escape sequences that start the style and reset it (ECMA-48, SGR).
    public func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
