import JSON
import JSONRPC
import Testing

@testable import NovaBlendMethods

@Suite("Pages of a list in the server's order")
struct CursorPageTests {
    private func page(
        _ list: [String],
        limit: Int? = 2,
        after cursor: String? = nil
    ) throws -> PageSlice<String> {
        try CursorPage(limit: limit, cursor: cursor).page(of: list) { $0 }
    }

    @Test("the pages together are the whole list, in its order")
    func whole() throws {
        let list = ["a", "b", "c", "d", "e"]
        let first = try page(list)
        #expect(Array(first.elements) == ["a", "b"] && first.total == 5)
        let second = try page(list, after: first.nextCursor)
        #expect(Array(second.elements) == ["c", "d"])
        let third = try page(list, after: second.nextCursor)
        #expect(Array(third.elements) == ["e"] && third.nextCursor == nil)
        let rest = try page(list, limit: nil, after: first.nextCursor)
        #expect(Array(rest.elements) == ["c", "d", "e"] && rest.nextCursor == nil)
        #expect(try page(list, limit: 5).nextCursor == nil)
    }

    @Test("changes of the list before the cursor neither repeat nor skip elements")
    func changes() throws {
        let cursor = try #require(try page(["a", "b", "c", "d"]).nextCursor)
        for list in [["n", "a", "b", "c", "d"], ["b", "c", "d"], ["b", "x", "c", "d"]] {
            let rest = try page(list, limit: 9, after: cursor)
            #expect(rest.elements.last == "d" && !rest.elements.contains("b"))
            #expect(rest.elements.contains("c"))
        }
        #expect(try page(["a", "b"], after: cursor).elements.isEmpty)
    }

    @Test("a cursor fails after its element was removed, because the list has changed")
    func removed() throws {
        let cursor = try #require(try page(["a", "b", "c"]).nextCursor)
        for list in [["a", "c"], []] {
            let error = #expect(throws: RPCError.self) { try page(list, after: cursor) }
            #expect(error?.code == -32_602 && error?.message.contains("has changed") == true)
        }
    }

    @Test("an invalid cursor is rejected")
    func invalid() throws {
        let texts = [
            "", "1", "x", "=", "AAAAA", "5", "%", Cursor { $0.integer(1) }.text,
            Cursor { writer in
                writer.string("a")
                writer.integer(1)
            }.text,
            Base64.encodeURL(Array("{}".utf8)), Base64.encodeURL(Array("[1,".utf8)),
        ]
        for text in texts {
            let error = #expect(throws: RPCError.self) { try page(["a"], after: text) }
            #expect(error?.code == -32_602, "\(text)")
        }
        for count in [Int.min, -1, 0, 7, .max] {
            let cursor = Cursor { writer in
                writer.integer(count)
                writer.string("a")
            }
            #expect(try Array(page(["a", "b"], after: cursor.text).elements) == ["b"])
        }
    }
}
