/// Splits a text into the records of a CSV file (RFC 4180), which are separated by line feeds, with
/// or without carriage returns. Empty lines are skipped.
struct CSVRecords: Sequence, IteratorProtocol {
    /// A line of the file, or several if a field contains line feeds.
    struct Record: Hashable {
        /// The line on which it begins, counted from 1.
        var line: Int
        var fields: [String]
        /// What is wrong with the record, in which case `fields` are not reliable; nil if nothing is.
        var problem: String?
    }

    /// The bytes that mark UTF-8 at the start of a file.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var rest: ArraySlice<UInt8>
    private var line = 1

    init(_ text: ArraySlice<UInt8>) { rest = text }

    /// The next record; nil at the end of the text.
    mutating func next() -> Record? {
        while let byte = rest.first, byte == Self.lineFeed || byte == Self.carriageReturn {
            if byte == Self.lineFeed { line += 1 }
            rest.removeFirst()
        }
        guard !rest.isEmpty else { return nil }
        var record = Record(line: line, fields: [])
        var isLast = false
        while !isLast {
            let field = nextField(&record)
            guard let text = String(validating: field, as: UTF8.self) else {
                record.problem = "is not UTF-8; save the file as CSV in UTF-8"
                skipLine()
                return record
            }
            record.fields.append(text)
            isLast = rest.first != Self.comma
            if !isLast { rest.removeFirst() }
        }
        skipLine()
        return record
    }

    /// The bytes of the next field. Ends before a comma, or at the end of the record.
    private mutating func nextField(_ record: inout Record) -> [UInt8] {
        guard rest.first == Self.quote else {
            let field = rest.prefix { !Self.isEnd($0) }
            rest = rest[field.endIndex...]
            if field.contains(Self.quote) {
                record.problem = "has a quote in a field without quotes; write \"a \"\"b\"\" c\""
            }
            return Array(field)
        }
        rest.removeFirst()
        var field: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == Self.lineFeed { line += 1 }
            guard byte == Self.quote else {
                field.append(byte)
                continue
            }
            // Two quotes stand for one.
            if rest.first != Self.quote {
                if let next = rest.first, !Self.isEnd(next) {
                    record.problem = "has text after a closing quote; write a quote as \"\""
                    rest = rest[rest.prefix { !Self.isEnd($0) }.endIndex...]
                }
                return field
            }
            rest.removeFirst()
            field.append(byte)
        }
        record.problem = "has a quote that is not closed"
        return field
    }

    /// Skips the rest of a line, including its line feed.
    private mutating func skipLine() {
        rest = rest[rest.prefix { $0 != Self.lineFeed }.endIndex...]
        if rest.popFirst() != nil { line += 1 }
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == comma || byte == lineFeed || byte == carriageReturn
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
