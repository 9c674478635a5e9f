import JSON
import JSONRPC

/// The end of a page, which a caller passes to get the next page: opaque, and safe in a URL.
struct Cursor {
    static let parameter = Method.Parameter(
        "cursor",
        "nextCursor of the previous page",
        schema: Schemas.string
    )

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
struct PageSlice<Element> {
    var elements: ArraySlice<Element>
    /// The number of elements on all pages.
    var total: Int
    /// The cursor of the next page; nil at the end.
    var nextCursor: String?
}
