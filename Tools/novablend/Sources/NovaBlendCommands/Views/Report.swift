import CommandLineKit
import Domain
import NovaBlendMethods

/// What a command shows a person: its result on standard output, and notes on standard error.
struct Report: Sendable {
    /// A part of the result on standard output.
    enum Block: Sendable {
        case table(TextTable)
        /// Lines that depend on the space on the terminal.
        case fitting(@Sendable (Space) -> [String])
        case line(String)
        /// Names and values; a name without a value is omitted.
        case fields([(String, String?)])
        /// Unchanged text; on a terminal, without control characters.
        case raw(String)
    }

    /// The space for a part of the result.
    struct Space: Sendable {
        /// The number of columns; nil for no limit.
        var width: Int?
        /// The number of lines; nil for no limit.
        var height: Int?
        var isColored = false
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

    /// Writes the result and the notes. If `fitsHeight` is true, what depends on the space leaves out what
    /// does not fit on the screen.
    func show(on terminal: Terminal, fitsHeight: Bool = false) throws(CommandError) {
        var space = Space(width: terminal.width, isColored: terminal.hasColor)
        if fitsHeight, let height = terminal.height {
            space.height = max(2, height - 1 - fixedHeight(on: terminal))
        }
        for block in blocks {
            if case .raw(let text) = block {
                let safe = terminal.width == nil ? text : SafeText.lines(text)
                try terminal.write(Array(safe.utf8))
            } else {
                try terminal.print(block.lines(in: space))
            }
        }
        for note in notes { terminal.printNote(note) }
    }

    /// The height of everything that does not depend on the space, with the notes.
    private func fixedHeight(on terminal: Terminal) -> Int {
        var lines = notes.map(SafeText.line)
        for block in blocks {
            if case .fitting = block { continue }
            lines += block.lines(in: Space(width: terminal.width))
        }
        let width = max(1, terminal.width ?? .max)
        return lines.reduce(0) { $0 + 1 + max(0, DisplayWidth.of($1) - 1) / width }
    }
}

extension Report.Block {
    /// The lines in a space.
    func lines(in space: Report.Space) -> [String] {
        switch self {
        case .table(let table): return table.lines(width: space.width, isColored: space.isColored)
        case .fitting(let lines): return lines(space)
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
