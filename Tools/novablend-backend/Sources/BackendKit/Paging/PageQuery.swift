import BookingStorage
import Contract
import HTTPServing

extension ServerRequest {
    /// A parameter of the query; nil if it is absent. Throws a problem of the kind, with what the
    /// value must be, if `parse` returns nil.
    func parameter<Value>(
        _ name: String,
        _ kind: ErrorKind,
        _ requirement: String,
        _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = query[name] else { return nil }
        guard let value = parse(text) else { throw Problem(kind, "\(name) \(requirement)") }
        return value
    }
}

/// The parameters `limit` and `cursor` of a paged list.
struct PageQuery: Sendable {
    /// The maximum number of elements on a page, and the default.
    static let maximumLimit = 1_000

    /// The number of elements on the page, from 1 to ``maximumLimit``.
    let limit: Int
    /// The position after which the page begins; nil for the first page.
    let cursor: PageCursor?

    /// Reads the parameters. A larger limit is clamped. Throws `invalidPage`.
    init(_ request: ServerRequest, of list: PageCursor.List) throws(Problem) {
        limit = min(try Self.limit(of: request) ?? Self.maximumLimit, Self.maximumLimit)
        let text = request.query["cursor"]
        cursor = if let text { try PageCursor(text, of: list) } else { nil }
    }

    /// The query of the next page of the same size.
    func next(_ cursor: PageCursor, of list: PageCursor.List) -> String {
        "limit=\(limit)&cursor=\(cursor.text(for: list))"
    }

    /// The limit; nil if it is absent. A number that does not fit in `Int` is clamped. Throws
    /// `invalidPage` unless it is a decimal number of at least 1.
    static func limit(of request: ServerRequest) throws(Problem) -> Int? {
        try request.parameter("limit", .invalidPage, "must be a number of at least 1") { text in
            number(text).flatMap { $0 >= 1 ? $0 : nil }
        }
    }

    /// The decimal number, clamped; nil for any other text.
    static func number(_ text: String) -> Int? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
        return isNumber ? Int(text) ?? .max : nil
    }
}
