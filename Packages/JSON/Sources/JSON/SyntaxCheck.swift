/// Finds the place where a text stops being valid JSON (RFC 8259). simdjson reports only that a
/// text is invalid, so a text that it rejects is read again, byte by byte.
struct SyntaxCheck {
    private let text: UnsafeRawBufferPointer
    private var offset = 0
    /// The closing brackets of the objects and arrays around the offset. They replace recursion,
    /// because a text can have any depth.
    private var closers: [UInt8] = []

    private init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// The first error in the text, `malformed` or `numberOutOfRange`; nil for valid JSON.
    static func error(in text: UnsafeRawBufferPointer) -> JSONError? {
        var check = SyntaxCheck(text)
        do {
            try check.readDocument()
            return nil
        } catch {
            return error
        }
    }

    private mutating func readDocument() throws(JSONError) {
        var expectsValue = true
        while true {
            skipWhitespace()
            if expectsValue {
                expectsValue = try readValue()
            } else if let closer = closers.last {
                expectsValue = try readSeparator(or: closer)
            } else {
                guard current == nil else { throw failure("expected the end of the text") }
                return
            }
        }
    }

    /// Reads a value, or the beginning of one. Returns whether a value must follow.
    private mutating func readValue() throws(JSONError) -> Bool {
        switch current {
        case UInt8(ascii: "{"): return try readOpening(closer: UInt8(ascii: "}"))
        case UInt8(ascii: "["): return try readOpening(closer: UInt8(ascii: "]"))
        case UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "t"): try readLiteral("true")
        case UInt8(ascii: "f"): try readLiteral("false")
        case UInt8(ascii: "n"): try readLiteral("null")
        case UInt8(ascii: "-"): try readNumber()
        case let byte? where Self.isDigit(byte): try readNumber()
        default: throw failure("expected a value")
        }
        return false
    }

    private mutating func readOpening(closer: UInt8) throws(JSONError) -> Bool {
        offset += 1
        skipWhitespace()
        if skip(closer) { return false }
        closers.append(closer)
        if closer == UInt8(ascii: "}") { try readKey() }
        return true
    }

    private mutating func readSeparator(or closer: UInt8) throws(JSONError) -> Bool {
        if skip(closer) {
            closers.removeLast()
            return false
        }
        guard skip(UInt8(ascii: ",")) else {
            throw failure("expected a comma or \(Unicode.Scalar(closer))")
        }
        if closer == UInt8(ascii: "}") { try readKey() }
        return true
    }

    private mutating func readKey() throws(JSONError) {
        skipWhitespace()
        guard current == UInt8(ascii: "\"") else { throw failure("expected a key in quotes") }
        try readString()
        skipWhitespace()
        guard skip(UInt8(ascii: ":")) else { throw failure("expected a colon") }
    }

    private mutating func readLiteral(_ literal: String) throws(JSONError) {
        guard text[offset...].starts(with: literal.utf8) else { throw failure("expected a value") }
        offset += literal.utf8.count
    }
}

// Numbers.
extension SyntaxCheck {
    private mutating func readNumber() throws(JSONError) {
        let start = offset
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try readDigits() }
        var isInteger = true
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try readDigits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
            try readDigits()
        }
        let number = String(decoding: text[start..<offset], as: UTF8.self)
        let isInRange =
            isInteger
            ? Int64(number) != nil || UInt64(number) != nil : Double(number)?.isFinite == true
        guard isInRange else {
            throw .numberOutOfRange(position: JSONPosition(of: start, in: text))
        }
    }

    private mutating func readDigits() throws(JSONError) {
        let start = offset
        while let byte = current, Self.isDigit(byte) { offset += 1 }
        if offset == start { throw failure("expected a digit") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

// Strings.
extension SyntaxCheck {
    private mutating func readString() throws(JSONError) {
        let start = offset
        offset += 1
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): try readEscape()
            case 0..<0x20: throw failure("a control character in a string must be escaped")
            case 0..<0x80: offset += 1
            default: try readCharacter()
            }
        }
        offset = start
        throw failure("the string has no closing quote")
    }

    private mutating func readCharacter() throws(JSONError) {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = text[offset...].makeIterator()
        guard case .valid(let character) = parser.parseScalar(from: &rest) else {
            throw failure("the text is not UTF-8")
        }
        offset += character.count
    }

    private mutating func readEscape() throws(JSONError) {
        switch text[offset...].dropFirst().first {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(at: offset) else {
                throw failure("expected four hexadecimal digits")
            }
            offset += try lengthOfEscape(of: unit)
        default: throw failure("unknown escape sequence")
        }
    }

    /// The length of the escape sequence of a character that begins with `unit`. Characters beyond
    /// U+FFFF consist of two units (RFC 8259, section 7).
    private func lengthOfEscape(of unit: UInt16) throws(JSONError) -> Int {
        guard UTF16.isSurrogate(unit) else { return 6 }
        guard UTF16.isLeadSurrogate(unit), let second = codeUnit(at: offset + 6),
            UTF16.isTrailSurrogate(second)
        else { throw failure("half of a surrogate pair") }
        return 12
    }

    /// The UTF-16 code unit of the escape sequence at `start`, such as `\u00e9`; nil for other text.
    private func codeUnit(at start: Int) -> UInt16? {
        let sequence = text[min(start, text.count)...].prefix(6)
        let digits = sequence.dropFirst(2)
        guard digits.count == 4, sequence.starts(with: "\\u".utf8) else { return nil }
        return digits.reduce(0) { (unit: UInt16?, byte) in
            guard let unit, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                return nil
            }
            return unit << 4 | UInt16(digit)
        }
    }
}

extension SyntaxCheck {
    private var current: UInt8? { offset < text.count ? text[offset] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        offset += 1
        return true
    }

    private mutating func skipWhitespace() {
        while skip(0x20) || skip(0x0A) || skip(0x0D) || skip(0x09) {}
    }

    private func failure(_ reason: String) -> JSONError {
        .malformed(reason: reason, position: JSONPosition(of: offset, in: text))
    }
}
