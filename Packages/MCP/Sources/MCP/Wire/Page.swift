import JSON
import JSONRPC

/// One page of a list, and the cursor of the next page.
struct Page<Element> {
    let elements: ArraySlice<Element>
    let nextCursor: String?

    /// Throws -32602 if the cursor is not the `nextCursor` of an earlier page.
    init(of all: [Element], _ params: Params, size: Int = 50) throws(RPCError) {
        let cursor = try params.string("cursor")
        let start = cursor.map { Int($0) ?? -1 } ?? 0
        guard start == 0 && cursor == nil || start > 0 && start < all.count && start % size == 0
        else {
            throw .invalidParams("\"cursor\" must be the nextCursor of an earlier page")
        }
        elements = all[start...].prefix(size)
        nextCursor = elements.endIndex < all.count ? String(elements.endIndex) : nil
    }
}
