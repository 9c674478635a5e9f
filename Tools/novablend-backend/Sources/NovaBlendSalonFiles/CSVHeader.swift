/// The first record of a CSV file, with the names of the columns, and the separator that they show.
struct CSVHeader {
    /// What separates the fields of the file.
    let separator: UInt8
    let record: CSVRecords.Record
    /// The records after the header.
    let records: CSVRecords
    /// The names of the columns, without white space around them. Unnamed columns at the end are left
    /// out, because spreadsheets add some.
    let names: [String]
    /// The columns, nil for each that is unknown, unnamed, or repeated.
    let columns: [SalonColumn?]

    /// Programs write commas, and spreadsheets what the user's country uses.
    private static let separators = [CSVRecords.comma] + Array(";\t|".utf8)

    /// Reads the header; nil if the text has no records.
    init?(_ text: ArraySlice<UInt8>) {
        let stated = Self.statedSeparator(of: text)
        let headers = (stated.map { [$0] } ?? Self.separators).map { Self(text, separator: $0) }
        let candidates = headers.compactMap(\.self)
        // The separator is the one with which the header has the most known columns, and a comma if
        // this is not clear.
        let most = candidates.map(\.knownCount).max()
        if most == 0, candidates.count < headers.count { return nil }
        let best = candidates.filter { $0.knownCount == most }
        guard let first = best.count == 1 ? best[0] : candidates.first else { return nil }
        self = first
    }

    private init?(_ text: ArraySlice<UInt8>, separator: UInt8) {
        var records = CSVRecords(text, separator: separator)
        var found: CSVRecords.Record?
        while found == nil, let record = records.next() {
            let statesSeparator = record.line == 1 && Self.isSeparatorLine(record)
            if !record.isBlank, !statesSeparator { found = record }
        }
        guard let record = found else { return nil }
        let names = record.fields.map(\.trimmed)
        let count = (names.lastIndex { !$0.isEmpty } ?? -1) + 1
        let columns = names.prefix(count).map(SalonColumn.named)
        self.separator = separator
        self.record = record
        self.records = records
        self.names = Array(names.prefix(count))
        self.columns = columns.enumerated().map { index, column in
            columns[..<index].contains { $0?.name == column?.name } ? nil : column
        }
    }

    /// How many columns are known.
    private var knownCount: Int { columns.count { $0 != nil } }

    /// The separator that a first line such as `sep=;` states, as spreadsheets on Windows write it.
    private static func statedSeparator(of text: ArraySlice<UInt8>) -> UInt8? {
        let line = text.prefix { $0 != 0x0A && $0 != 0x0D }.filter { $0 != 0x22 }
        guard String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep=" else {
            return nil
        }
        return line.dropFirst(4).first.flatMap { separators.contains($0) ? $0 : nil }
    }

    private static func isSeparatorLine(_ record: CSVRecords.Record) -> Bool {
        let (first, others) = (record.fields[0].trimmed.lowercased(), record.fields.dropFirst())
        return first.hasPrefix("sep=") && first.count <= 5 && others.allSatisfy(\.trimmed.isEmpty)
    }
}
