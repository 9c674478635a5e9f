package import Domain

/// A row of a result. Its columns are counted from 0.
package protocol ColumnReader {
    func isNull(_ column: Int32) -> Bool
    func bool(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int64
    func text(_ column: Int32) -> String
    /// Calls `body` with the bytes of a text that has no NUL.
    func withBytes<R>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R
}

extension ColumnReader {
    package func int(_ column: Int32) -> Int { Int(clamping: integer(column)) }

    package func optionalText(_ column: Int32) -> String? {
        // Most texts that are read are not NULL, so the text comes first.
        let text = text(column)
        return text.isEmpty && isNull(column) ? nil : text
    }

    package func timestamp(_ column: Int32) -> Timestamp {
        Timestamp(secondsSince1970: integer(column))
    }

    package func optionalTimestamp(_ column: Int32) -> Timestamp? {
        isNull(column) ? nil : timestamp(column)
    }

    /// The salon's id; nil if the column has none.
    package func salonID(_ column: Int32) -> SalonID? { withBytes(column) { SalonID(utf8: $0) } }
}

/// The columns of a type of row, in the order in which its statements list them. Each case is named like
/// its column: `salonID` is the column `salon_id`.
package protocol RowColumn: CaseIterable, RawRepresentable<Int32>, Sendable {}

extension RowColumn {
    package static var numberOfColumns: Int32 { Int32(allCases.count) }

    /// The names of all columns, separated by commas.
    package static var list: String { allCases.map(\.name).joined(separator: ", ") }

    private var name: String {
        var name = ""
        for character in "\(self)" {
            if character.isUppercase, name.last?.isLowercase == true { name += "_" }
            name.append(character)
        }
        return name.lowercased()
    }
}

extension ColumnReader {
    package func isNull(_ column: some RowColumn) -> Bool { isNull(column.rawValue) }

    package func bool(_ column: some RowColumn) -> Bool { bool(column.rawValue) }

    package func int(_ column: some RowColumn) -> Int { int(column.rawValue) }

    package func text(_ column: some RowColumn) -> String { text(column.rawValue) }

    package func optionalText(_ column: some RowColumn) -> String? {
        optionalText(column.rawValue)
    }

    package func timestamp(_ column: some RowColumn) -> Timestamp { timestamp(column.rawValue) }

    package func optionalTimestamp(_ column: some RowColumn) -> Timestamp? {
        optionalTimestamp(column.rawValue)
    }

    package func salonID(_ column: some RowColumn) -> SalonID? { salonID(column.rawValue) }
}

/// A value that is read from a row of either database.
package protocol StoredRow {
    /// Reads the first columns. Throws `corrupted` if they are invalid.
    init(row: some ColumnReader) throws(StorageFailure)
}
