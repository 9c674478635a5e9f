import Contract
public import Domain
public import JSON

/// Writes salons as CSV (RFC 4180), with a header.
public enum SalonCSVWriter {
    /// The line with the names of the columns, after a byte order mark: without it, spreadsheets on
    /// Windows read the file as Windows-1252.
    public static var header: [UInt8] {
        CSVRecords.byteOrderMark + line(SalonColumn.all.map(\.name))
    }

    /// The line of a salon. It may contain line feeds. Throws only if the codec writes what it does not
    /// read.
    public static func line(_ salon: Salon) throws(JSONError) -> [UInt8] {
        let members = try JSONDocument(parsing: SalonCodec.encode(salon)).root.object()
        var cells: [String] = []
        for column in SalonColumn.all {
            guard let value = members.member(named: column.name) else {
                cells.append("")
                continue
            }
            cells.append(try column.cell(value))
        }
        return line(cells)
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        Array((cells.map(quoted).joined(separator: ",") + "\r\n").utf8)
    }

    private static func quoted(_ cell: String) -> String {
        let isPlain = cell.utf8.allSatisfy { ![0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return isPlain ? cell : "\"\(cell.replacing("\"", with: "\"\""))\""
    }
}
