import CommandLineKit
import Domain
import NovaBlendMethods

/// What a command shows a person: its result on standard output, and notes on standard error.
struct Report: Sendable {
    /// A part of the result on standard output.
    enum Block: Sendable {
        case table(TextTable)
        /// The first of several tables with the same content that fits on the terminal, otherwise the
        /// last one.
        case tables([TextTable])
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

    /// Creates a report with a table, or with the note `empty` if the table has no rows.
    init(_ table: TextTable, empty: String, notes: [String?]) {
        blocks = table.isEmpty ? [] : [.table(table)]
        self.notes = (table.isEmpty ? [empty] : []) + notes.compactMap(\.self)
    }

    func show(on terminal: Terminal) throws(CommandError) {
        for block in blocks {
            if case .raw(let text) = block {
                let safe = terminal.width == nil ? text : SafeText.lines(text)
                try terminal.write(Array(safe.utf8))
            } else {
                let lines = block.lines(width: terminal.width, isColored: terminal.hasColor)
                try terminal.print(lines)
            }
        }
        for note in notes { terminal.printNote(note) }
    }
}

extension Report.Block {
    /// The lines on a terminal with `width` columns; without a limit if it is nil.
    func lines(width: Int?, isColored: Bool) -> [String] {
        switch self {
        case .table(let table): return table.lines(width: width, isColored: isColored)
        case .tables(let tables):
            let fitting = tables.first { $0.minimumWidth <= width ?? .max } ?? tables.last
            return fitting?.lines(width: width, isColored: isColored) ?? []
        case .line(let line): return [SafeText.line(line)]
        case .fields(let fields): return Self.lines(of: fields)
        case .raw(let text): return [text]
        }
    }

    private static func lines(of fields: [(String, String?)]) -> [String] {
        let known = fields.compactMap { name, value in value.map { (name, $0) } }
        let width = known.reduce(0) { max($0, DisplayWidth.of($1.0)) }
        return known.map { name, value in
            let gap = String(repeating: " ", count: width - DisplayWidth.of(name) + 2)
            return SafeText.line("  \(name)\(gap)\(value)")
        }
    }
}

/// What a view needs besides the reply that it shows.
struct ViewContext: Sendable {
    let invocation: Invocation
    let invoker: MethodInvoker
    /// Whether the view goes to standard error, which is often logged.
    var hidesPersonalData = false

    /// The salon as it is cached. No request is sent.
    func cachedSalon(_ id: SalonID) async -> FoundSalon? {
        let params = Parameters(["id": id.description, "policy": "cacheOnly"])
        return (try? await invoker.call(SalonMethods.get, params)).map { FoundSalon($0.salon) }
    }
}
