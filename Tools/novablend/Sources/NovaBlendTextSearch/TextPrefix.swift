/// The beginning of a text, regardless of case and accents.
package struct TextPrefix {
    private let folded: [UInt8]

    package init(_ text: String) { folded = TextFold.bytes(of: text) }

    /// Whether a text in UTF-8 begins with the prefix.
    package func begins(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = text.prefix(folded.count)
        if !folded.contains(where: TextFold.isOptional), start.allSatisfy({ $0 < 0x80 }) {
            return start.count == folded.count
                && zip(start, folded).allSatisfy {
                    TextFold.lowered($0) == $1
                }
        }
        return TextFold.bytes(of: String(decoding: text, as: UTF8.self)).withUnsafeBufferPointer {
            TextMatch(ignored: { _ in false }).isPrefix(folded, of: $0, from: 0)
        }
    }

    /// Whether two texts in UTF-8, with a space between them, begin with the prefix.
    package func begins(
        _ one: UnsafeBufferPointer<UInt8>,
        _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        // Most texts differ in their first character.
        guard let first = one.first, let start = folded.first,
            first >= 0x80 || TextFold.lowered(first) == start
        else { return folded.isEmpty }
        return (Array(one) + [UInt8(ascii: " ")] + other).withUnsafeBufferPointer(begins)
    }

    /// Whether a text begins with the prefix.
    package func begins(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(begins)
    }
}
