/// Cells that a spreadsheet changes when it opens a file.
///
/// A spreadsheet calculates cells that begin like a formula, and a formula can run commands or send
/// data elsewhere. Texts that look like a number or a date, such as a phone number, lose their plus,
/// zeros, or last digits. So such a cell gets an apostrophe in front, which the import removes again.
/// It also gets one if there are apostrophes already, so that every text is read as it was written.
enum CSVFormula {
    /// The characters with which a formula begins in some spreadsheet, including their full-width
    /// forms.
    private static let starts = Set("=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)
    private static let apostrophe: Unicode.Scalar = "'"
    /// The characters of numbers, dates, and times.
    private static let numeric = Set("0123456789 \u{A0}\u{202F}.,:/-()+eE%".unicodeScalars)
    private static let digits = Unicode.Scalar("0")...Unicode.Scalar("9")

    /// The errors that formulas have as results, in the languages of the spreadsheets, and what a
    /// spreadsheet shows if a column is too narrow.
    private static let errors: Set = [
        "#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!",
        "#FIELD!", "#BLOCKED!", "#CONNECT!", "#BUSY!", "#UNKNOWN!", "#GETTING_DATA", "#BEZUG!",
        "#NV", "#WERT!", "#ZAHL!", "#NOM?", "#VALEUR!", "#NOMBRE!", "#NUL!", "#¡REF!",
        "#¿NOMBRE?", "#¡VALOR!", "#¡DIV/0!", "#¡NUM!", "#¡NULO!", "#RIF!", "#NOME?", "#VALORE!",
        "#N/D", "#VALOR!", "#VERW!", "#NAAM?", "#WAARDE!", "#N/B", "#LEEG!", "#GETAL!",
    ]

    /// The cell for a text.
    static func escaped(_ text: String) -> String { isFormula(text) ? "'\(text)" : text }

    /// The cell for a text that must remain a text, whatever it looks like.
    static func escapedText(_ text: String) -> String {
        isFormula(text) || isChanged(text) ? "'\(text)" : text
    }

    /// The text of a cell. A formula that is not escaped remains as it is: a person may write a phone
    /// number without an apostrophe.
    static func unescaped(_ cell: String) -> String {
        let scalars = cell.unicodeScalars
        guard scalars.first == apostrophe, isFormula(cell) || isChanged(cell) else { return cell }
        return String(scalars.dropFirst())
    }

    /// Whether a cell is the error of a formula.
    static func isError(_ cell: String) -> Bool {
        let text = cell.trimmed.uppercased()
        if text.hasPrefix("ERR:") { return Int(text.dropFirst(4)) != nil }
        return errors.contains(text) || text.count > 1 && text.allSatisfy { $0 == "#" }
    }

    /// Whether a text is a formula, if apostrophes at its beginning are ignored.
    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != apostrophe }.map(starts.contains) ?? false
    }

    /// Whether a text looks like a number, a date, or an error, if apostrophes at its beginning are
    /// ignored.
    private static func isChanged(_ text: String) -> Bool {
        let scalars = text.unicodeScalars.drop { $0 == apostrophe }
        return scalars.allSatisfy(numeric.contains) && scalars.contains(where: digits.contains)
            || isError(String(scalars))
    }
}
