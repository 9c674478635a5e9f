/// Cells that begin like a formula.
///
/// A spreadsheet calculates them when it opens a file, and a formula can run commands or send data
/// elsewhere. Even a phone number would lose its plus. So such a cell gets an apostrophe in front,
/// which the import removes again. It also gets one if there are apostrophes already, so that every
/// text is read as it was written.
enum CSVFormula {
    /// The characters with which a formula begins in some spreadsheet, including their full-width
    /// forms.
    private static let starts = Set("=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)
    private static let apostrophe: Unicode.Scalar = "'"

    /// The cell for a text.
    static func escaped(_ text: String) -> String { isFormula(text) ? "'\(text)" : text }

    /// The text of a cell. A formula that is not escaped remains as it is: a person may write a phone
    /// number without an apostrophe.
    static func unescaped(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        guard scalars.first == apostrophe, isFormula(cell) else { return cell }
        return String(scalars.dropFirst())
    }

    /// Whether a text is a formula, if apostrophes at its beginning are ignored.
    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != apostrophe }.map(starts.contains) ?? false
    }
}
