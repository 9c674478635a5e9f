/// Text to search for, regardless of case and accents.
package struct TextQuery {
    private let wanted: [UInt8]

    package init(_ text: String) {
        wanted = TextFold.bytes(of: text)
    }

    /// Whether one of `texts` contains the query. Every text contains an empty query.
    package func isFound(in texts: [String?]) -> Bool {
        wanted.isEmpty || texts.contains { $0.map(isPart) ?? false }
    }

    private func isPart(of text: String) -> Bool {
        // Most text is ASCII, which can be searched in place.
        let found = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { $0 < 0x80 } ? isPart(of: bytes) : nil
        }
        if let found = found ?? nil { return found }
        return TextFold.bytes(of: text).withUnsafeBufferPointer { isPart(of: $0) }
    }

    private func isPart(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let first = wanted[0]
        guard bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains { start in
            TextFold.lowered(bytes[start]) == first
                && wanted.indices.allSatisfy { TextFold.lowered(bytes[start + $0]) == wanted[$0] }
        }
    }
}
