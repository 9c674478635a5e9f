/// A table whose columns are aligned by display width.
public struct TextTable: Sendable {
    /// A column and its heading.
    public struct Column: Sendable {
        /// The heading.
        public var title: String
        /// Whether cells of this column may be truncated so that the table fits.
        public var isFlexible: Bool

        /// Creates a column.
        public init(_ title: String, isFlexible: Bool = false) {
            self.title = title
            self.isFlexible = isFlexible
        }
    }

    private static let gap = 2
    /// A flexible column is at least this wide, in columns of the terminal.
    private static let minimumWidth = 8

    private let columns: [Column]
    private var rows: [[String]] = []

    /// Creates a table without rows.
    public init(_ columns: [Column]) { self.columns = columns }

    /// Whether the table has no rows.
    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row. Missing cells are empty; surplus cells are ignored.
    public mutating func add(_ cells: [String?]) {
        let texts = cells.prefix(columns.count).map { SafeText.line($0 ?? "") }
        rows.append(texts + Array(repeating: "", count: columns.count - texts.count))
    }

    /// The headings and the rows, truncated to `width` columns of the terminal; nil for no limit.
    public func lines(width: Int?) -> [String] {
        let all = [columns.map(\.title)] + rows
        var widths = columns.indices.map { column in
            all.reduce(0) { max($0, DisplayWidth.of($1[column])) }
        }
        if let width { shrink(&widths, to: width) }
        return all.map { row in
            let cells = zip(row, widths).map { Self.padded($0, to: $1) }
            let line = Self.trimmed(
                cells.joined(separator: String(repeating: " ", count: Self.gap))
            )
            return width.map { Self.truncated(line, to: $0) } ?? line
        }
    }

    /// Narrows the widest flexible column by one until the table fits or no column can be narrowed.
    private func shrink(_ widths: inout [Int], to width: Int) {
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
        while excess > 0 {
            let flexible = columns.indices.filter {
                columns[$0].isFlexible && widths[$0] > Self.minimumWidth
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
