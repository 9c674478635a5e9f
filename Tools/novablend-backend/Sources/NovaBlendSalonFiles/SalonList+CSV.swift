import Domain
import JSON
import SystemSupport

extension SalonList {
    /// Adds the salons of a CSV text. The first record has the names of the columns.
    mutating func readCSV(_ text: ArraySlice<UInt8>) {
        var records = CSVRecords(text)
        guard let header = records.next() else { return report("the file is empty") }
        guard let columns = columns(in: header) else { return }
        for record in records where !record.fields.allSatisfy(\.trimmed.isEmpty) {
            if let problem = record.problem {
                report("the line \(problem)", line: record.line)
            } else if record.fields.count != columns.count {
                let counts = "\(record.fields.count) fields, but the header has \(columns.count)"
                report("the line has \(counts)", line: record.line)
            } else if let salon = Self.salon(record, columns) {
                add(salon, line: record.line, cellForm: SalonColumn.form)
            }
        }
    }

    /// The columns of the header, nil for each that is unknown; nil if the file cannot be read.
    private mutating func columns(in header: CSVRecords.Record) -> [SalonColumn?]? {
        let names = header.fields.map(\.trimmed)
        if let problem = header.problem {
            report("the header \(problem)", line: header.line)
            return nil
        }
        if names.count == 1, let separator = names[0].first(where: { ";\t|".contains($0) }) {
            let name = separator == "\t" ? "tabs" : "\"\(separator)\""
            report("the columns are separated by \(name); save the file with commas")
            return nil
        }
        let known = SalonColumn.all.map(\.name)
        missingColumns = Set(SalonColumn.requiredNames).subtracting(names)
        for name in SalonColumn.requiredNames where missingColumns.contains(name) {
            report("the header lacks a column", line: header.line, column: name)
        }
        for (index, name) in names.enumerated() {
            if !known.contains(name) {
                let nearest = NearestName.suggestion(for: name, among: known)
                let message = "the column \(Self.unknown(nearest))"
                report(message, as: .warning, line: header.line, column: name)
            } else if names[..<index].contains(name) {
                report("the header has a column twice", line: header.line, column: name)
            }
        }
        return names.enumerated().map { index, name in
            names[..<index].contains(name) ? nil : SalonColumn.all.first { $0.name == name }
        }
    }

    /// The JSON of a record. An empty cell is a missing member.
    private static func salon(
        _ record: CSVRecords.Record,
        _ columns: [SalonColumn?]
    ) -> JSONValue? {
        let fragment = JSONFragment.object { writer in
            for (column, cell) in zip(columns, record.fields) {
                guard let column, !cell.trimmed.isEmpty else { continue }
                writer.key(column.name)
                column.write(CSVFormula.unescaped(cell), to: &writer)
            }
        }
        return try? JSONDocument(parsing: fragment.bytes).root
    }
}
