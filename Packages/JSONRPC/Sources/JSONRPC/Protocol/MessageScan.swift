@_spi(JSONRPC) import JSON

/// What can be learned about a message that is not valid JSON, or of which only the beginning is known.
///
/// Reads the tokens of an object from its first byte, and keeps track of strings and nesting. It
/// tolerates what is wrong inside a string or a number, because the structure remains certain. It stops at
/// the first token that does not fit.
struct MessageScan {
    /// A string or a number that the parser rejects, although it fits in the structure.
    struct Defect {
        enum Kind {
            /// Half of a surrogate pair, in a value or a key.
            case loneSurrogate(isKey: Bool)
            /// An integer of more than 64 bits, or a number beyond the range of `Double`.
            case numberOutOfRange
        }

        let kind: Kind
        let path: [PathStep]
        /// The bytes of the token in the message.
        let range: Range<Int>
    }

    /// The bytes of the id: that of a complete member of the message itself, if there is only one, and
    /// if no other could be in the part of the message that was not understood.
    private(set) var id: [UInt8]?
    /// Whether the message has the member `method`.
    private(set) var hasMethod = false
    /// Whether the message has the member `result` or `error`.
    private(set) var hasOutcome = false
    /// The defects; nil if there are so many that they are no accident.
    private(set) var defects: [Defect]? = []

    private static let maximumDepth = 1_000
    private static let maximumDefects = 1_000

    private enum Expectation { case keyOrEnd, key, colon, valueOrEnd, value, commaOrEnd }

    /// An object or an array around the position.
    private struct Level {
        let isObject: Bool
        /// The key of the present member.
        var key = 0..<0
        /// The index of the present element.
        var index = 0
    }

    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var levels: [Level] = []
    private var expectation = Expectation.value
    /// The value of the member `id`, from its end until the comma or brace behind it.
    private var candidate: Range<Int>?
    private var idCount = 0

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipWhitespace()
        guard current == UInt8(ascii: "{") else { return }
        while readToken() {}
        // What follows could contain another id, because the structure is not certain there.
        let isAmbiguous = idCount > 1 || Self.mayContainID(text[position...])
        if isAmbiguous || !(id.map(Self.isUsable) ?? false) { id = nil }
    }

    /// Whether the bytes can be repeated in a reply. A parser may reject a number beyond the range of
    /// `Double`, but an integer with many digits is exact.
    private static func isUsable(_ id: [UInt8]) -> Bool {
        let digits = id.first == UInt8(ascii: "-") ? id.dropFirst() : id[...]
        if digits.first != UInt8(ascii: "0"), !digits.isEmpty, digits.allSatisfy(isDigit) {
            return true
        }
        guard let value = JSONDocument(validating: id)?.root else { return false }
        return [.string, .number, .null].contains(value.kind)
    }

    /// Whether bytes contain the key `id`, perhaps with escape sequences.
    private static func mayContainID(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        let keys = [#""id""#, #"\u0069"#, #"\u0064"#].map { Array($0.utf8) }
        return bytes.indices.contains { index in
            let byte = bytes[index]
            return (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\"))
                && keys.contains { bytes[index...].starts(with: $0) }
        }
    }
}

extension MessageScan {
    /// Reads the next token; false at the end, or if it does not fit.
    private mutating func readToken() -> Bool {
        skipWhitespace()
        guard let byte = current else { return false }
        switch (expectation, byte) {
        case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")): return readKey()
        case (.colon, UInt8(ascii: ":")): return advance(.value)
        case (.commaOrEnd, UInt8(ascii: ",")):
            endMember()
            guard let last = levels.indices.last else { return false }
            levels[last].index += 1
            return advance(levels[last].isObject ? .key : .value)
        case (.commaOrEnd, UInt8(ascii: "}")), (.keyOrEnd, UInt8(ascii: "}")):
            return close(isObject: true)
        case (.commaOrEnd, UInt8(ascii: "]")), (.valueOrEnd, UInt8(ascii: "]")):
            return close(isObject: false)
        case (.value, _), (.valueOrEnd, _): return readValue(byte)
        default: return false
        }
    }

    private mutating func advance(_ next: Expectation) -> Bool {
        position += 1
        expectation = next
        return true
    }

    private mutating func close(isObject: Bool) -> Bool {
        guard let level = levels.last, level.isObject == isObject else { return false }
        endMember()
        levels.removeLast()
        _ = advance(.commaOrEnd)
        // Anything after the message is not part of it.
        return !levels.isEmpty
    }

    /// The id is complete only if the next token shows that it is.
    private mutating func endMember() {
        if levels.count == 1, let candidate { id = Array(text[candidate]) }
        if levels.count == 1 { candidate = nil }
    }

    private mutating func readKey() -> Bool {
        guard let key = readString(isKey: true), let last = levels.indices.last else {
            return false
        }
        levels[last].key = key
        expectation = .colon
        if levels.count == 1 {
            switch name(of: key) {
            case "id": idCount += 1
            case "method": hasMethod = true
            case "result", "error": hasOutcome = true
            default: break
            }
        }
        return true
    }

    private mutating func readValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard levels.count < Self.maximumDepth else { return false }
            let isObject = byte == UInt8(ascii: "{")
            levels.append(Level(isObject: isObject))
            return advance(isObject ? .keyOrEnd : .valueOrEnd)
        case UInt8(ascii: "\""):
            guard let string = readString(isKey: false) else { return false }
            endValue(string)
        default:
            let start = position
            while let byte = current, !Self.endsScalar(byte) { position += 1 }
            // Without a byte behind it, it may be longer.
            guard position > start, position < text.count else { return false }
            if isOutOfRange(start..<position) { add(.numberOutOfRange, start..<position) }
            endValue(start..<position)
        }
        return true
    }

    private mutating func endValue(_ range: Range<Int>) {
        expectation = .commaOrEnd
        if levels.count == 1, let key = levels.first?.key, name(of: key) == "id" {
            candidate = range
        }
    }

    /// Reads a string and returns its range with the quotes; nil if it has no end.
    private mutating func readString(isKey: Bool) -> Range<Int>? {
        let start = position
        var hasLoneSurrogate = false
        position += 1
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                if hasLoneSurrogate { add(.loneSurrogate(isKey: isKey), start..<position) }
                return start..<position
            case UInt8(ascii: "\\"), 0xED:
                let (length, isLone) = LoneSurrogate.length(at: position, in: text)
                hasLoneSurrogate = hasLoneSurrogate || isLone
                position = min(position + length, text.count)
            default: position += 1
            }
        }
        position = start
        return nil
    }

    private func isOutOfRange(_ range: Range<Int>) -> Bool {
        let isShort = range.count < 19 && !text[range].contains { $0 | 0x20 == UInt8(ascii: "e") }
        if isShort { return false }
        do {
            _ = try JSONDocument(parsing: Array(text[range]))
            return false
        } catch {
            if case .numberOutOfRange = error { return true }
            return false
        }
    }

    private mutating func add(_ kind: Defect.Kind, _ range: Range<Int>) {
        guard let count = defects?.count, count < Self.maximumDefects else {
            defects = nil
            return
        }
        var path = levels.map { $0.isObject ? PathStep.key(name(of: $0.key)) : .index($0.index) }
        // The last step is the key of the member before.
        if case .loneSurrogate(isKey: true) = kind { path[path.count - 1] = .key(name(of: range)) }
        defects?.append(Defect(kind: kind, path: path, range: range))
    }

    private func name(of key: Range<Int>) -> String {
        let bytes = text[key]
        guard bytes.contains(UInt8(ascii: "\\")) else {
            return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        }
        let repaired = LoneSurrogate.replaced(in: Array(bytes))
        return (try? JSONDocument(validating: repaired)?.root.string()) ?? ""
    }
}

extension MessageScan {
    private var current: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipWhitespace() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        byte <= 0x20 || ",:{}[]\"".utf8.contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
