/// How characters stand within a JSON string (RFC 8259, section 7).
enum Escaping {
    /// The most bytes that one becomes.
    static let longest = 6

    /// Writes `text` to `output`, which has room for the worst case; gives the number of bytes.
    static func write(
        _ text: UnsafeBufferPointer<UInt8>,
        to output: UnsafeMutableRawBufferPointer
    ) -> Int {
        let input = UnsafeRawBufferPointer(text)
        var (read, written) = (0, 0)
        while read < input.count {
            // Eight bytes at once as long as there are as many. All are copied, also those behind the
            // first that must be escaped, and those are written over: there is room for six times
            // what was not read yet.
            if read + 8 <= input.count {
                let word = input.loadUnaligned(fromByteOffset: read, as: UInt64.self)
                output.storeBytes(of: word, toByteOffset: written, as: UInt64.self)
                let plain = lengthWithoutEscape(in: UInt64(littleEndian: word))
                (read, written) = (read + plain, written + plain)
                if plain == 8 { continue }
                // Nearly all that is escaped is a quote of JSON within JSON: both bytes at once.
                if input[read] == UInt8(ascii: "\"") {
                    output.storeBytes(of: escapedQuote, toByteOffset: written, as: UInt16.self)
                    (read, written) = (read + 1, written + 2)
                    continue
                }
            }
            written += write(input[read], to: output, at: written)
            read += 1
        }
        return written
    }

    /// A backslash, then a quote.
    private static let escapedQuote = UInt16(littleEndian: 0x225C)

    /// Writes one byte, escaped where it must be.
    private static func write(
        _ byte: UInt8,
        to output: UnsafeMutableRawBufferPointer,
        at position: Int
    ) -> Int {
        let short: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): short = byte
        case UInt8(ascii: "\n"): short = UInt8(ascii: "n")
        case UInt8(ascii: "\r"): short = UInt8(ascii: "r")
        case UInt8(ascii: "\t"): short = UInt8(ascii: "t")
        case ..<0x20:
            output[position] = UInt8(ascii: "\\")
            output[position + 1] = UInt8(ascii: "u")
            output[position + 2] = UInt8(ascii: "0")
            output[position + 3] = UInt8(ascii: "0")
            output[position + 4] = hexDigit(byte >> 4)
            output[position + 5] = hexDigit(byte & 15)
            return 6
        default:
            output[position] = byte
            return 1
        }
        output[position] = UInt8(ascii: "\\")
        output[position + 1] = short
        return 2
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// How many of eight bytes, from the lowest, come before the first that must be escaped.
    ///
    /// In a byte from which more is taken than it has, the highest bit is set where it was clear.
    /// What a byte borrows is taken from those above it only, so the lowest bit found is right.
    private static func lengthWithoutEscape(in word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let isControl = (word &- (ones &* 0x20)) & ~word
        let isQuote = (quotes &- ones) & ~quotes
        let isBackslash = (backslashes &- ones) & ~backslashes
        let found = (isControl | isQuote | isBackslash) & (ones &* 0x80)
        // 64 zeros, and so eight bytes, where there is none.
        return found.trailingZeroBitCount / 8
    }
}
