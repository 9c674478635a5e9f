import BookingStorage
import Domain

extension SQL {
    static let begin = SQL("BEGIN")
    static let commit = SQL("COMMIT")
    static let rollback = SQL("ROLLBACK")
}

extension SQLParameter {
    /// The value as text; nil for NULL.
    var sqlText: String? {
        switch sqlValue {
        case .null: nil
        case .boolean(let value): value ? "t" : "f"
        case .integer(let number): String(number)
        case .text(let text): EscapedText.escape(text)
        }
    }
}

/// An array of numbers or of the ids of salons, whose texts need no quotes.
struct SQLArray: SQLParameter {
    let sqlValue: SQLValue

    init(_ numbers: some Sequence<Int64>) { self.init(texts: numbers.map { String($0) }) }

    init(_ salons: some Sequence<SalonID>) { self.init(texts: salons.map(\.description)) }

    private init(texts: [String]) { sqlValue = .text("{\(texts.joined(separator: ","))}") }
}
