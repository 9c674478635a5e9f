/// Splits a text into the records of a CSV file (RFC 4180), which are separated by line breaks: LF,
/// CRLF, or CR. Empty lines are skipped.
struct CSVRecords: Sequence, IteratorProtocol {
    /// A line of the file, or several if a field contains line breaks.
    struct Record: Hashable {
        /// The line on which it begins, counted from 1.
        var line: Int
        /// The line on which it ends.
        var lastLine: Int
        var fields: [String]
        /// What is wrong with the record, in which case `fields` are not reliable; nil if nothing is.
        var problem: String?

        /// Whether it has no text. A record of which anything could not be read is never blank.
        var isBlank: Bool { problem == nil && fields.allSatisfy(\.trimmed.isEmpty) }
    }

    /// The bytes that mark UTF-8 at the start of a file.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    static let comma = UInt8(ascii: ",")

    private let separator: UInt8
    private var rest: ArraySlice<UInt8>
    private var line = 1

    init(_ text: ArraySlice<UInt8>, separator: UInt8 = Self.comma) {
        rest = text
        self.separator = separator
    }

    /// The next record; nil at the end of the text.
    mutating func next() -> Record? {
        while takeLineBreak() != nil {}
        guard !rest.isEmpty else { return nil }
        var record = Record(line: line, lastLine: line, fields: [])
        repeat {
            let field = nextField(&record)
            if let text = String(validating: field, as: UTF8.self) {
                if text.utf8.contains(0) { report("contains a NUL character", &record) }
                record.fields.append(text)
            } else {
                report("is not UTF-8", &record)
                record.fields.append(String(decoding: field, as: UTF8.self))
            }
        } while takeSeparator()
        record.lastLine = line
        _ = takeLineBreak()
        return record
    }

    /// The bytes of the next field. Ends before a separator, a line break, or the end of the text.
    private mutating func nextField(_ record: inout Record) -> [UInt8] {
        guard rest.first == Self.quote else {
            let field = takeUnquoted()
            if field.contains(Self.quote) {
                report(
                    "has a quote in a field without quotes; write \"a \"\"b\"\" c\"",
                    &record
                )
            }
            return Array(field)
        }
        let start = line
        rest.removeFirst()
        var field: [UInt8] = []
        while let byte = rest.first {
            if let lineBreak = takeLineBreak() {
                field += lineBreak
                continue
            }
            rest.removeFirst()
            guard byte == Self.quote else {
                field.append(byte)
                continue
            }
            // Two quotes stand for one.
            if rest.first != Self.quote {
                if let next = rest.first, !isEnd(next) {
                    let place = line == start ? "" : ", in line \(line)"
                    report(
                        "has text after a closing quote\(place); write a quote as \"\"",
                        &record
                    )
                    _ = takeUnquoted()
                }
                return field
            }
            rest.removeFirst()
            field.append(byte)
        }
        // A line break at the end of the text begins no line.
        let last =
            field.last.map { $0 == Self.lineFeed || $0 == Self.carriageReturn } == true
            ? line - 1 : line
        let others = last <= start ? "" : "; so the text up to line \(last) could not be read"
        report("has a quote in line \(start) that is not closed\(others)", &record)
        return field
    }

    /// Only the first problem of a record is reported, because it often causes the others.
    private func report(_ problem: String, _ record: inout Record) {
        if record.problem == nil { record.problem = problem }
    }

    private mutating func takeUnquoted() -> ArraySlice<UInt8> {
        let field = rest.prefix { !isEnd($0) }
        rest = rest[field.endIndex...]
        return field
    }

    private mutating func takeSeparator() -> Bool {
        guard rest.first == separator else { return false }
        rest.removeFirst()
        return true
    }

    /// The line break at this position, which is consumed; nil if there is none.
    private mutating func takeLineBreak() -> ArraySlice<UInt8>? {
        let count: Int
        switch rest.first {
        case Self.lineFeed: count = 1
        case Self.carriageReturn: count = rest.dropFirst().first == Self.lineFeed ? 2 : 1
        default: return nil
        }
        defer { rest = rest.dropFirst(count) }
        line += 1
        return rest.prefix(count)
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn
    }

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}
