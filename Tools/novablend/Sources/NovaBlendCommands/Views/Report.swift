import CommandLineKit

/// What a command shows a person: its result on standard output, and notes on standard error.
struct Report: Sendable {
    /// A part of the result.
    enum Block: Sendable {
        case table(TextTable)
        case line(String)
        /// Names and values; a name without a value is omitted.
        case fields([(String, String?)])
        /// Unchanged text; on a terminal, without control characters.
        case raw(String)
    }

    var blocks: [Block] = []
    var notes: [String] = []

    init(_ blocks: [Block] = [], notes: [String?] = []) {
        self.blocks = blocks
        self.notes = notes.compactMap(\.self)
    }

    /// A table, or the note `empty` if it has no rows.
    init(_ table: TextTable, empty: String, notes: [String?]) {
        blocks = table.isEmpty ? [] : [.table(table)]
        self.notes = (table.isEmpty ? [empty] : []) + notes.compactMap(\.self)
    }

    func show(on terminal: Terminal) throws(CommandError) {
        for block in blocks {
            switch block {
            case .table(let table): try terminal.print(table.lines(width: terminal.width))
            case .line(let line): try terminal.print([SafeText.line(line)])
            case .fields(let fields): try terminal.print(Self.lines(of: fields))
            case .raw(let text):
                try terminal.write(
                    Array((terminal.width == nil ? text : SafeText.lines(text)).utf8)
                )
            }
        }
        for note in notes { terminal.printNote(note) }
    }

    private static func lines(of fields: [(String, String?)]) -> [String] {
        let known = fields.compactMap { name, value in value.map { (name, $0) } }
        let width = known.reduce(0) { max($0, $1.0.count) }
        return known.map { name, value in
            let gap = String(repeating: " ", count: width - name.count + 2)
            return "  \(name)\(gap)\(SafeText.line(value))"
        }
    }
}
