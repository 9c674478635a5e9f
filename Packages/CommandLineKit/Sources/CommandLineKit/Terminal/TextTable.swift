/// A table whose columns are aligned by display width.
public struct TextTable: Sendable {
    /// A column and its heading.
    public struct Column: Sendable {
        /// The heading of the column.
        public var title: String
        /// Whether cells of this column may be truncated so that the table fits.
        public var isFlexible: Bool
        /// Whether the column is omitted if all of its cells are empty.
        public var isOptional: Bool

        /// Creates a column.
        public init(_ title: String, isFlexible: Bool = false, isOptional: Bool = false) {
            self.title = title
            self.isFlexible = isFlexible
            self.isOptional = isOptional
        }
    }

    fileprivate enum Row {
        case cells([String], TextStyle?)
        /// Text that is not aligned with the columns.
        case heading(String)
    }

    private static let gap = 2
    /// A flexible column is at least this wide, in columns of the terminal.
    private static let flexibleWidth = 8

    private let columns: [Column]
    private var rows: [Row] = []

    /// Creates a table without rows.
    public init(_ columns: [Column]) { self.columns = columns }

    /// Whether the table has no rows.
    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row. Missing cells are empty; surplus cells are ignored. The style is that of the whole
    /// row, where color is allowed.
    public mutating func add(_ cells: [String?], style: TextStyle? = nil) {
        let texts = cells.prefix(columns.count).map { SafeText.line($0 ?? "") }
        let missing = Array(repeating: "", count: columns.count - texts.count)
        rows.append(.cells(texts + missing, style))
    }

    /// Adds an empty line and a heading for the rows that follow.
    public mutating func addHeading(_ text: String) { rows.append(.heading(SafeText.line(text))) }

    /// The width below which lines are truncated although the flexible columns are as narrow as
    /// possible.
    public var minimumWidth: Int {
        let shown = shownColumns
        var widths = widths(of: shown)
        shrink(&widths, of: shown, to: 0)
        return total(widths)
    }

    /// The headings and the rows.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal to which lines are truncated; nil for no limit.
    ///   - isColored: Whether the lines contain escape sequences for the styles.
    public func lines(width: Int?, isColored: Bool = false) -> [String] {
        let shown = shownColumns
        var widths = widths(of: shown)
        if let width { shrink(&widths, of: shown, to: width) }
        return ([titles] + rows).flatMap { row -> [String] in
            func finished(_ line: String, _ style: TextStyle?) -> String {
                let fitting = width.map { Self.truncated(line, to: $0) } ?? line
                return style.flatMap { isColored ? $0.applied(to: fitting) : nil } ?? fitting
            }
            switch row {
            case .heading(let text): return ["", finished(text, .bold)]
            case .cells(let cells, let style):
                let padded = zip(shown, widths).map { Self.padded(cells[$0], to: $1) }
                let gap = String(repeating: " ", count: Self.gap)
                return [finished(Self.trimmed(padded.joined(separator: gap)), style)]
            }
        }
    }

    private var titles: Row { .cells(columns.map(\.title), nil) }

    private var shownColumns: [Int] {
        columns.indices.filter { index in
            !columns[index].isOptional || rows.contains { $0.hasText(in: index) }
        }
    }

    private func widths(of shown: [Int]) -> [Int] {
        shown.map { column in
            rows.reduce(titles.width(of: column)) { max($0, $1.width(of: column)) }
        }
    }

    private func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + Self.gap * (widths.count - 1)
    }

    /// Narrows the widest flexible column by one until the table fits or no column can be narrowed.
    private func shrink(_ widths: inout [Int], of shown: [Int], to width: Int) {
        var excess = total(widths) - width
        while excess > 0 {
            let flexible = widths.indices.filter {
                columns[shown[$0]].isFlexible && widths[$0] > Self.flexibleWidth
            }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        let text = truncated(text, to: width)
        return text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    private static func truncated(_ text: String, to width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        return DisplayWidth.prefix(of: text, columns: max(0, width - 1)) + "…"
    }

    private static func trimmed(_ text: String) -> String {
        guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
        return String(text[...last])
    }
}

extension TextTable.Row {
    fileprivate func width(of column: Int) -> Int {
        if case .cells(let cells, _) = self { DisplayWidth.of(cells[column]) } else { 0 }
    }

    fileprivate func hasText(in column: Int) -> Bool {
        if case .cells(let cells, _) = self { !cells[column].isEmpty } else { false }
    }
}

/// How a terminal that supports color shows text.
public enum TextStyle: Int, Sendable, CaseIterable {
    case bold = 1
    case dim = 2
    case green = 32

    /// `text` between the escape sequences that start the style and reset it (ECMA-48, SGR).
    public func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
