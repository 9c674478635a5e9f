import JSON
import JSONRPC

extension MCPServer {
    /// Makes a method that lists elements in pages, under `key`. `write` writes the members of one
    /// element.
    func listMethod<Element: Sendable>(
        _ name: String,
        _ key: StaticString,
        _ elements: @escaping @Sendable (RequestContext) -> [Element],
        _ write: @escaping @Sendable (Element, inout JSONWriter, RequestContext) -> Void
    ) -> Method {
        method(name) { call, context throws(RPCError) in
            let all = elements(context)
            let page = try Self.page(of: all.count, call.params)
            // The list is the same for all clients only if it has no apps, which only some clients
            // see.
            let isShared = !resources.contains(where: \.isApp)
            return context.result(isCacheable: true, isShared: isShared) { writer in
                writer.array(key) { writer in
                    for element in all[page] {
                        writer.object { write(element, &$0, context) }
                    }
                }
                if page.upperBound < all.count {
                    writer.member("nextCursor", String(page.upperBound))
                }
            }
        }
    }

    /// One page of a list of `count` elements. Throws -32602 if the cursor is not the `nextCursor` of
    /// an earlier page.
    private static func page(of count: Int, _ params: Params) throws(RPCError) -> Range<Int> {
        let size = 50
        guard let cursor = try params.string("cursor") else { return 0..<min(size, count) }
        guard let start = Int(cursor), start > 0, start < count, start % size == 0 else {
            throw .invalidParams("\"cursor\" must be the nextCursor of an earlier page")
        }
        return start..<min(start + size, count)
    }
}
