import JSON
import JSONRPC

/// The part of a list that a caller wants, where the whole list is at hand in an order of the
/// remote's.
///
/// The cursor names the last element of the page before, so that elements that come or go in front
/// of it neither repeat nor hide others.
struct CursorPage {
    static let limit = {
        var limit = Method.Parameter("limit", "the most to list", schema: Schemas.positive)
        limit.agentDefault = JSONFragment { $0.integer(20) }
        return limit
    }()

    private let limit: Int?
    private let after: (id: String, count: Int)?

    init(_ call: Call) throws(RPCError) {
        try self.init(limit: Self.limit(of: call), cursor: call.params.string("cursor"))
    }

    init(limit: Int?, cursor: String?) throws(RPCError) {
        self.limit = limit
        after = try Cursor.read(cursor) { elements throws(JSONError) in
            guard elements.count == 2 else { return nil }
            return (try elements[1].string(), try elements[0].integer())
        }
    }

    static func limit(of call: Call) throws(RPCError) -> Int? {
        let limit = try call.params.integer("limit")
        if let limit, limit < 1 {
            throw .invalidParams("\"limit\" must be at least 1", parameter: "limit")
        }
        return limit
    }

    /// Whether all of `count` elements are on this page.
    func isEverything(of count: Int) -> Bool { after == nil && count <= limit ?? count }

    func page<Element>(
        of list: [Element],
        id: (Element) -> String
    ) throws(RPCError) -> CutPage<Element> {
        let rest = list[try start(in: list, id)...]
        let page = rest.prefix(limit ?? rest.count)
        let next = page.last.flatMap { last in
            page.endIndex == list.count
                ? nil
                : Cursor { writer in
                    writer.integer(page.endIndex)
                    writer.string(id(last))
                }.text
        }
        return CutPage(elements: page, total: list.count, nextCursor: next)
    }

    private func start<Element>(
        in list: [Element],
        _ id: (Element) -> String
    ) throws(RPCError) -> Int {
        guard let after else { return 0 }
        // Mostly nothing has changed, and it is where it was.
        if list.indices.contains(after.count &- 1), id(list[after.count &- 1]) == after.id {
            return after.count
        }
        guard let last = list.firstIndex(where: { id($0) == after.id }) else {
            throw .invalidParams(
                "\"cursor\" follows an element that is no longer listed: the list has changed; "
                    + "begin again without a cursor",
                parameter: "cursor"
            )
        }
        return last + 1
    }
}
