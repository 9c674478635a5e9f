import Domain

/// A value that is passed to a statement, as text.
protocol SQLParameter {
    /// Nil for NULL.
    var sqlText: String? { get }
}

extension String: SQLParameter {
    var sqlText: String? { EscapedText.escape(self) }
}

extension Int64: SQLParameter {
    var sqlText: String? { String(self) }
}

extension Int: SQLParameter {
    var sqlText: String? { String(self) }
}

extension Bool: SQLParameter {
    var sqlText: String? { self ? "t" : "f" }
}

extension Timestamp: SQLParameter {
    var sqlText: String? { String(secondsSince1970) }
}

extension SalonID: SQLParameter {
    var sqlText: String? { description }
}

/// An array of numbers or of the ids of salons, whose texts need no quotes.
struct SQLArray: SQLParameter {
    let sqlText: String?

    init(_ numbers: some Sequence<Int64>) { self.init(texts: numbers.map { String($0) }) }

    init(_ salons: some Sequence<SalonID>) { self.init(texts: salons.map(\.description)) }

    private init(texts: [String]) { sqlText = "{\(texts.joined(separator: ","))}" }
}

extension Optional: SQLParameter where Wrapped: SQLParameter {
    var sqlText: String? { self?.sqlText ?? nil }
}
