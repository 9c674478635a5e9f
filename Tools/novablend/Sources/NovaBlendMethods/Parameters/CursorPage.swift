import JSON
import JSONRPC

/// A page of a list that was loaded completely, in the server's order.
///
/// The cursor contains the id of the last element of the previous page. Adding or removing elements
/// before this one neither repeats nor skips others.
struct CursorPage {
    static let limit = {
        var limit = Method.Parameter("limit", "maximum number of results", .positive)
        limit.agentUse.defaultValue = JSONFragment { $0.integer(20) }
        return limit
    }()

    /// The maximum number of elements on the page; nil for no limit.
    let limit: Int?
    /// The last element of the previous page, and the number of elements up to it.
    let after: (id: String, count: Int)?

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

    func page<Element>(
        of list: [Element],
        id: (Element) -> String
    ) throws(RPCError) -> PageSlice<Element> {
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
        return PageSlice(elements: page, total: list.count, nextCursor: next)
    }

    private func start<Element>(
        in list: [Element],
        _ id: (Element) -> String
    ) throws(RPCError) -> Int {
        guard let after else { return 0 }
        // Usually the list has not changed.
        if list.indices.contains(after.count &- 1), id(list[after.count &- 1]) == after.id {
            return after.count
        }
        guard let last = list.firstIndex(where: { id($0) == after.id }) else {
            throw .invalidParams(
                "\"cursor\" is no longer valid, because the list has changed; start again without "
                    + "a cursor",
                parameter: "cursor"
            )
        }
        return last + 1
    }
}

/// The end of a page, which a caller passes to get the next page: opaque, and safe in a URL.
struct Cursor {
    static let parameter = Method.Parameter("cursor", "nextCursor of the previous page")

    let text: String

    /// Makes a cursor from the elements that `position` writes.
    init(_ position: (inout JSONWriter) -> Void) {
        text = Base64.encodeURL(JSONFragment { $0.array(position) }.bytes)
    }

    /// Reads a cursor; nil for a call without a cursor. Throws -32602 if `text` is not a cursor.
    static func read<Position>(
        _ text: String?,
        _ position: ([JSONValue]) throws(JSONError) -> Position?
    ) throws(RPCError) -> Position? {
        guard let text else { return nil }
        let document = Base64.decodeURL(text).flatMap { try? JSONDocument(parsing: $0) }
        guard let elements = try? document?.root.array(),
            let position = try? position(Array(elements))
        else {
            throw .invalidParams(
                "\"cursor\" must be the nextCursor of an earlier page",
                parameter: "cursor"
            )
        }
        return position
    }
}

/// The elements on one page of a list.
struct PageSlice<Element: Sendable>: Sendable {
    var elements: ArraySlice<Element>
    /// The number of elements on all pages.
    var total: Int
    /// The cursor of the next page; nil at the end.
    var nextCursor: String?
}
