/// Rows in columns that are aligned by what a terminal shows.
struct TextTable: Sendable {
    /// A column and its heading.
    struct Column: Sendable {
        var title: String
        /// Whether it may be cut to make the table fit.
        var isFlexible: Bool

        init(_ title: String, isFlexible: Bool = false) {
            self.title = title
            self.isFlexible = isFlexible
        }
    }

    private static let gap = 2
    private static let narrowest = 8

    private let columns: [Column]
    private var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    var isEmpty: Bool { rows.isEmpty }

    /// Adds a row of as many cells as there are columns; what is missing is empty.
    mutating func add(_ cells: [String?]) {
        let texts = cells.prefix(columns.count).map { SafeText.line($0 ?? "") }
        rows.append(texts + Array(repeating: "", count: columns.count - texts.count))
    }

    /// The heading and the rows, cut to `width` columns; nil for no bound.
    func lines(width: Int?) -> [String] {
        let all = [columns.map(\.title)] + rows
        var widths = columns.indices.map { column in
            all.reduce(0) { max($0, DisplayWidth.of($1[column])) }
        }
        if let width { shrink(&widths, to: width) }
        return all.map { row in
            let cells = zip(row, widths).map { Self.fit($0, into: $1) }
            let line = Self.trimmed(
                cells.joined(separator: String(repeating: " ", count: Self.gap))
            )
            return width.map { Self.cut(line, to: $0) } ?? line
        }
    }

    /// Takes from the widest flexible column, column by column of the screen, while there is one.
    private func shrink(_ widths: inout [Int], to width: Int) {
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
        while excess > 0 {
            let flexible = columns.indices.filter {
                columns[$0].isFlexible && widths[$0] > Self.narrowest
            }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    private static func fit(_ text: String, into width: Int) -> String {
        let text = cut(text, to: width)
        return text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    private static func cut(_ text: String, to width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        return DisplayWidth.prefix(of: text, columns: max(0, width - 1)) + "…"
    }

    private static func trimmed(_ text: String) -> String {
        guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
        return String(text[...last])
    }
}
