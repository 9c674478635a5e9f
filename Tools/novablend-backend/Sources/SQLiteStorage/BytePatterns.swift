/// Byte sequences by which texts are recognized, also if a part of a text has been overwritten.
struct BytePatterns {
    /// The shortest text that can be recognized.
    private static let minimumLength = 4
    /// A text of more bytes is also recognized by any ``chunkLength`` bytes of it that begin at a
    /// multiple of this length, so by any 23 bytes.
    private static let longLength = 24
    private static let chunkLength = 12

    /// The patterns by their first two bytes, and whether there is one that begins with them.
    private var patterns: [Int: [[UInt8]]] = [:]
    private var begins = [Bool](repeating: false, count: 1 << 16)
    /// Whether a pattern is a number, which is not a part of a longer one.
    private var isNumber = false

    init(_ texts: Set<String>) {
        for pattern in Set(texts.flatMap { Self.patterns(of: Array($0.utf8)) }) { add(pattern) }
    }

    /// Recognizes a number by all of its digits.
    init(number: String) {
        isNumber = true
        if number.utf8.count >= Self.minimumLength { add(Array(number.utf8)) }
    }

    private mutating func add(_ pattern: [UInt8]) {
        let start = Int(pattern[0]) << 8 | Int(pattern[1])
        patterns[start, default: []].append(pattern)
        begins[start] = true
    }

    /// The beginning and the end of a text, and parts of a long one.
    private static func patterns(of text: [UInt8]) -> [[UInt8]] {
        guard text.count >= minimumLength else { return [] }
        let length = min(max(8, text.count * 2 / 3), text.count, longLength)
        var patterns = [Array(text.prefix(length)), Array(text.suffix(length))]
        guard text.count > longLength else { return patterns }
        for start in stride(from: 0, through: text.count - chunkLength, by: chunkLength) {
            let chunk = Array(text[start..<start + chunkLength])
            // A line of hyphens identifies no one.
            if Set(chunk).count > 4 { patterns.append(chunk) }
        }
        return patterns
    }

    /// Whether the bytes contain one of the patterns.
    func occur(in bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= Self.minimumLength else { return false }
        return begins.withUnsafeBufferPointer { begins in
            var first = Int(bytes[0])
            for index in 1..<bytes.count {
                let second = Int(bytes[index])
                if begins[first << 8 | second], occur(in: bytes, at: index - 1) { return true }
                first = second
            }
            return false
        }
    }

    private func occur(in bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        patterns[Int(bytes[start]) << 8 | Int(bytes[start + 1])]?.contains { pattern in
            let end = start + pattern.count
            guard end <= bytes.count, bytes[start..<end].elementsEqual(pattern) else {
                return false
            }
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let continues =
                start > 0 && digits.contains(bytes[start - 1])
                || end < bytes.count && digits.contains(bytes[end])
            return !isNumber || !continues
        } ?? false
    }
}
