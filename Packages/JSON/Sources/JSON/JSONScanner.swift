/// Finds the bytes of parts of a text that was parsed before, to give them back unchanged.
public enum JSONScanner {
    /// The ranges of the members of the object that `bytes` are; keys with their quotes.
    ///
    /// Meant for valid text. Anything else gives some ranges within `bytes`, never a trap.
    public static func memberRanges(
        ofObjectIn bytes: UnsafeRawBufferPointer
    ) -> [(key: Range<Int>, value: Range<Int>)] {
        var scan = Scan(bytes)
        var members: [(key: Range<Int>, value: Range<Int>)] = []
        scan.skipSpace()
        scan.position += 1
        while true {
            scan.skipSpaceAndCommas()
            guard scan.current == UInt8(ascii: "\"") else { return members }
            let key = scan.value()
            scan.skipSpace()
            guard scan.current == UInt8(ascii: ":") else { return members }
            scan.position += 1
            scan.skipSpace()
            members.append((key: key, value: scan.value()))
        }
    }

    /// The ranges of the elements of the array that `bytes` are.
    ///
    /// Meant for valid text. Anything else gives some ranges within `bytes`, never a trap.
    public static func elementRanges(ofArrayIn bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var scan = Scan(bytes)
        var elements: [Range<Int>] = []
        scan.skipSpace()
        scan.position += 1
        while true {
            scan.skipSpaceAndCommas()
            guard let current = scan.current, current != UInt8(ascii: "]") else { return elements }
            let element = scan.value()
            guard !element.isEmpty else { return elements }
            elements.append(element)
        }
    }

    private struct Scan {
        let bytes: UnsafeRawBufferPointer
        var position = 0

        init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skipSpace() {
            while let byte = current, byte <= 0x20 { position += 1 }
        }

        mutating func skipSpaceAndCommas() {
            while let byte = current, byte <= 0x20 || byte == UInt8(ascii: ",") { position += 1 }
        }

        mutating func value() -> Range<Int> {
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
