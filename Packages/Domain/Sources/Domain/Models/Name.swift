/// The name of a salon, a service, or a staff member, which can be compared with a differently written
/// one.
///
/// Two names are equal only if they are written with the same characters. Names that look the same, or
/// differ only in case, have the same ``folded`` form.
public struct Name: Sendable, Hashable {
    /// The name as it was written.
    public let text: String
    /// The name without white space at its ends and invisible characters, and with one space for white
    /// space between words. Texts that are canonically equivalent (Unicode, NFC) are equal.
    public let normalized: String
    /// The normalized name regardless of case.
    public let folded: String

    /// Normalizes a name.
    public init(_ text: String) {
        self.text = text
        normalized = Self.normalized(text)
        // "ß" and "SS" differ only in case.
        folded = normalized.uppercased().lowercased()
    }

    /// What distinguishes two names that have the same ``folded`` form and are not equal.
    public func difference(from other: Name) -> String {
        if text == other.text { return "the Unicode form of its characters" }
        return normalized == other.normalized ? "white space or invisible characters" : "case"
    }

    /// The elements of a list that are named by `text`: those with this name, or else those that
    /// differ in white space or the form of characters, or else in case; empty if there are none.
    public static func closest<Element>(
        to text: String,
        in elements: [Element],
        name: (Element) -> String
    ) -> [Element] {
        let wanted = Name(text)
        let names = elements.map { ($0, Name(name($0))) }
        for isMatch: (Name) -> Bool in [
            { $0 == wanted }, { $0.normalized == wanted.normalized },
            { $0.folded == wanted.folded },
        ] {
            let found = names.filter { isMatch($0.1) }
            if !found.isEmpty { return found.map(\.0) }
        }
        return []
    }

    /// Whether two names are written with the same characters.
    public static func == (one: Name, other: Name) -> Bool {
        // Strings are equal if they are canonically equivalent.
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    /// Hashes the characters.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    private static func normalized(_ text: String) -> String {
        var words = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                if words.last != " " { words.append(" ") }
            } else if !scalar.properties.isDefaultIgnorableCodePoint {
                words.append(scalar)
            }
        }
        if words.first == " " { words.removeFirst() }
        if words.last == " " { words.removeLast() }
        return String(words)
    }
}
