/// Finds the bytes of values in a valid JSON text, to copy them unchanged.
public enum JSONScanner {
    /// The ranges of the keys, including their quotes, and values of the object that `bytes`
    /// encodes.
    ///
    /// For invalid JSON, the ranges are arbitrary but within `bytes`.
    public static func memberRanges(
        ofObjectIn bytes: UnsafeRawBufferPointer
    ) -> [(key: Range<Int>, value: Range<Int>)] {
        var cursor = Cursor(bytes)
        var members: [(key: Range<Int>, value: Range<Int>)] = []
        cursor.skipWhitespace()
        cursor.position += 1
        while true {
            cursor.skipWhitespaceAndCommas()
            guard cursor.current == UInt8(ascii: "\"") else { return members }
            let key = cursor.skipValue()
            cursor.skipWhitespace()
            guard cursor.current == UInt8(ascii: ":") else { return members }
            cursor.position += 1
            cursor.skipWhitespace()
            members.append((key: key, value: cursor.skipValue()))
        }
    }

    /// The ranges of the elements of the array that `bytes` encodes.
    ///
    /// For invalid JSON, the ranges are arbitrary but within `bytes`.
    public static func elementRanges(ofArrayIn bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var cursor = Cursor(bytes)
        var elements: [Range<Int>] = []
        cursor.skipWhitespace()
        cursor.position += 1
        while true {
            cursor.skipWhitespaceAndCommas()
            guard let current = cursor.current, current != UInt8(ascii: "]") else {
                return elements
            }
            let element = cursor.skipValue()
            guard !element.isEmpty else { return elements }
            elements.append(element)
        }
    }

    private struct Cursor {
        let bytes: UnsafeRawBufferPointer
        var position = 0

        init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skipWhitespace() {
            while let byte = current, byte <= 0x20 { position += 1 }
        }

        mutating func skipWhitespaceAndCommas() {
            while let byte = current, byte <= 0x20 || byte == UInt8(ascii: ",") { position += 1 }
        }

        /// Skips a value and returns its range.
        mutating func skipValue() -> Range<Int> {
            let start = position
            var depth = 0
            while let byte = current {
                switch byte {
                case UInt8(ascii: "\""):
                    skipString()
                    if depth == 0 { return start..<position }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return start..<position }
                    depth -= 1
                    if depth == 0 {
                        position += 1
                        return start..<position
                    }
                case UInt8(ascii: ","), UInt8(ascii: ":"), 0...0x20:
                    if depth == 0 { return start..<position }
                default: break
                }
                position += 1
            }
            return start..<position
        }

        private mutating func skipString() {
            position += 1
            while let byte = current {
                position += byte == UInt8(ascii: "\\") ? 2 : 1
                if byte == UInt8(ascii: "\"") { break }
            }
            position = min(position, bytes.count)
        }
    }
}
