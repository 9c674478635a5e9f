import JSON
import JSONRPC

/// The part of a list that a caller wants, where the whole list is at hand.
struct CursorPage {
    static let limit = Method.Parameter(
        "limit",
        "the most to list",
        schema: Schemas.positive,
        agentDefault: JSONFragment { $0.integer(20) }
    )
    static let cursor = Method.Parameter(
        "cursor",
        "nextCursor of the page before",
        schema: Schemas.string
    )

    private let limit: Int?
    private let offset: Int

    init(_ call: Call) throws(RPCError) {
        limit = try Self.limit(of: call)
        let cursor = try call.params.string("cursor")
        guard let offset = cursor.map({ Int($0) }) ?? 0, offset >= 0 else {
            throw .invalidParams(
                "\"cursor\" must be the nextCursor of an earlier page",
                parameter: "cursor"
            )
        }
        self.offset = offset
    }

    static func limit(of call: Call) throws(RPCError) -> Int? {
        let limit = try call.params.integer("limit")
        if let limit, limit < 1 {
            throw .invalidParams("\"limit\" must be at least 1", parameter: "limit")
        }
        return limit
    }

    func page<Element>(
        of list: [Element]
    ) throws(RPCError) -> (elements: ArraySlice<Element>, total: Int, nextCursor: String?) {
        guard offset <= list.count else {
            throw .invalidParams("\"cursor\" lies past the end", parameter: "cursor")
        }
        let rest = list[offset...]
        let page = rest.prefix(limit ?? rest.count)
        let next = page.endIndex < list.count ? String(page.endIndex) : nil
        return (page, list.count, next)
    }
}
