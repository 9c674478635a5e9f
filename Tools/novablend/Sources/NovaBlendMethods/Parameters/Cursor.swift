import JSON
import JSONRPC

/// The end of a page, as a caller hands it on to the next: opaque, and fit for a URL.
struct Cursor {
    static let parameter = Method.Parameter(
        "cursor",
        "nextCursor of the page before",
        schema: Schemas.string
    )

    let text: String

    /// Says where a page ends by the elements that `place` writes.
    init(_ place: (inout JSONWriter) -> Void) {
        text = Base64.encodeURL(JSONFragment { $0.array(place) }.bytes)
    }

    /// Reads what the cursor says, nil where there is none; throws -32602 for a text that no page
    /// ever gave.
    static func read<Place>(
        _ text: String?,
        _ place: ([JSONValue]) throws(JSONError) -> Place?
    ) throws(RPCError) -> Place? {
        guard let text else { return nil }
        let document = Base64.decodeURL(text).flatMap { try? JSONDocument(parsing: $0) }
        guard let elements = try? document?.root.array(), let place = try? place(Array(elements))
        else {
            throw .invalidParams(
                "\"cursor\" must be the nextCursor of an earlier page",
                parameter: "cursor"
            )
        }
        return place
    }
}

/// The part of a list that is on one page.
struct CutPage<Element> {
    var elements: ArraySlice<Element>
    /// How many there are on all pages.
    var total: Int
    /// For the next page; nil at the end.
    var nextCursor: String?
}
