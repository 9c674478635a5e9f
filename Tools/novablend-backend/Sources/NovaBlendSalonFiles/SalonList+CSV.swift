import Domain
import JSON
import SystemSupport

extension SalonList {
    /// Adds the salons of a CSV text. The first record has the names of the columns. Each record that
    /// is not blank is a salon, or is reported.
    ///
    /// - Parameter spreadsheetLines: The maximum number of lines of a spreadsheet, which drops those
    ///   after it.
    mutating func readCSV(_ text: ArraySlice<UInt8>, spreadsheetLines: Int = 1_048_576) {
        guard let header = CSVHeader(text) else { return report("the file is empty") }
        guard check(header) else { return }
        var count = 1
        for record in header.records {
            count += 1
            if !record.isBlank { read(record, header) }
        }
        if count == spreadsheetLines {
            let message = "the file has \(count) lines, the most that a spreadsheet can have, so "
            report(message + "lines after them were probably lost")
        }
    }

    /// Reports a text that is not UTF-8. Its lines are reported, too.
    mutating func reportEncoding(of text: ArraySlice<UInt8>) {
        guard String(validating: text, as: UTF8.self) == nil else { return }
        let advice = "save it as \"CSV UTF-8\", or choose \"Unicode (UTF-8)\" as the character set"
        switch FileEncoding(of: text) {
        case .windows1252:
            report("the file is not UTF-8, but probably Windows-1252 (ANSI); \(advice)")
        case .mixed:
            report(
                "some lines of the file are UTF-8, and others probably Windows-1252 (ANSI); correct "
                    + "the lines below, and save the file in UTF-8"
            )
        case .unknown: report("the file is not UTF-8; \(advice)")
        }
    }

    /// Reports what is wrong with the header. Returns whether the records can be read.
    private mutating func check(_ header: CSVHeader) -> Bool {
        let line = header.record.line
        if let problem = header.record.problem { report("the header \(problem)", line: line) }
        let known = SalonColumn.all.map(\.name)
        let present = Set(header.columns.compactMap { $0?.name })
        missingColumns = Set(SalonColumn.requiredNames).subtracting(present)
        // The missing ones may be those that could not be read.
        if header.record.problem != nil, !missingColumns.isEmpty { return false }
        for name in SalonColumn.requiredNames where missingColumns.contains(name) {
            report("the header lacks a column", line: line, column: name)
        }
        for (name, column) in zip(header.names, header.columns) where column == nil {
            if SalonColumn.named(name) != nil {
                report("the header has a column twice", line: line, column: name)
            } else if !name.isEmpty {
                let nearest = NearestName.suggestion(for: name, among: known)
                let message = "the column \(Self.unknown(nearest))"
                report(message, as: .warning, line: line, column: name)
            }
        }
        return true
    }

    private mutating func read(_ record: CSVRecords.Record, _ header: CSVHeader) {
        let (fields, count) = (record.fields, header.names.count)
        if let problem = record.problem ?? Self.swallowedLine(record, header) {
            addUnreadable(line: record.line, problem)
        } else if fields.count < count
            || fields.dropFirst(count).contains(where: { !$0.trimmed.isEmpty })
        {
            let cells = fields.count == 1 ? "1 field" : "\(fields.count) fields"
            let counts = "has \(cells), but the header has \(count)"
            let place =
                record.lastLine == record.line ? "" : ", and ends in line \(record.lastLine)"
            addUnreadable(line: record.line, counts + place)
        } else if let index = header.names.indices.first(where: {
            header.names[$0].isEmpty && !fields[$0].trimmed.isEmpty
        }) {
            let message = "has text in column \(index + 1), which has no name in the header"
            addUnreadable(line: record.line, message)
        } else if let salon = Self.salon(record, header) {
            var problems: [(column: String, message: String)] = []
            for case (let column?, let cell) in zip(header.columns, fields) {
                guard let message = column.problem(of: cell) else { continue }
                problems.append((column.name, message))
            }
            add(salon, line: record.line, cellProblems: problems, cellForm: SalonColumn.form)
        } else {
            addUnreadable(line: record.line, "cannot be read")
        }
    }

    /// Says that a cell contains the end of a line and the beginning of another one, because a quote
    /// is missing in each; nil if no cell does. The line break divides the fields of two lines, and the
    /// times among them are times.
    private static func swallowedLine(
        _ record: CSVRecords.Record,
        _ header: CSVHeader
    ) -> String? {
        let count = header.record.fields.count
        guard record.lastLine > record.line, record.fields.count == count else { return nil }
        let separator = Character(Unicode.Scalar(header.separator))
        for (index, cell) in record.fields.enumerated() where cell.contains(where: \.isNewline) {
            let lines = cell.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .map { $0.split(separator: separator, omittingEmptySubsequences: false) }
            guard let first = lines.first, let last = lines.last,
                first.count == count - index, last.count == index + 1
            else { continue }
            let fields = zip(header.columns, Array(last.dropLast() + [""] + first.dropFirst()))
            let times = fields.filter { $0.0?.isTime == true && !$0.1.isEmpty }.map { String($0.1) }
            if !times.isEmpty,
                times.allSatisfy({ Int($0) == nil && HoursCell.hundredths($0.trimmed) != nil })
            {
                return "has a cell that contains the rest of the line and the beginning of line "
                    + "\(record.lastLine); a quote is probably missing"
            }
        }
        return nil
    }

    /// The JSON of a record. An empty cell is a missing member.
    private static func salon(_ record: CSVRecords.Record, _ header: CSVHeader) -> JSONValue? {
        let hasDecimalComma = header.separator != CSVRecords.comma
        let fragment = JSONFragment.object { writer in
            for (column, cell) in zip(header.columns, record.fields) {
                guard let column, !cell.trimmed.isEmpty else { continue }
                let text = CSVFormula.unescaped(cell)
                writer.key(column.name)
                column.write(hasDecimalComma ? column.withDecimalPoints(text) : text, to: &writer)
            }
        }
        return try? JSONDocument(parsing: fragment.bytes).root
    }
}
