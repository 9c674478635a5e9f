import JSON
import JSONRPC
import Testing

@testable import MCP

@Suite("Outlines of schemas")
struct SchemaOutlineTests {
    private let text = TestServer.text

    private func array(of items: JSONFragment) -> JSONFragment {
        JSONFragment.object { writer in
            writer.member("type", "array")
            writer.member("items", items)
        }
    }

    @Test("an outline contains the names and types of members, and which ones are required")
    func members() {
        let schema = ObjectSchema([
            .init("name", text, "the name"), .init("note", text, isRequired: false),
        ])
        let members = #"{"name":{"type":"string"},"note":{"type":"string"}}"#
        let expected = #"{"type":"object","properties":\#(members),"required":["name"]}"#
        #expect(SchemaOutline.make(of: schema).description == expected)
    }

    @Test("an outline contains the members of array elements, but no deeper levels")
    func elements() {
        let inner = ObjectSchema([.init("deep", text)])
        let element = ObjectSchema([
            .init("id", text, "the id"), .init("inner", inner.fragment),
            .init("list", array(of: text)),
        ])
        let schema = ObjectSchema([
            .init("all", array(of: element.fragment), "all of them"),
            .init("one", inner.fragment),
        ])
        let members =
            #"{"id":{"type":"string"},"inner":{"type":"object"},"list":{"type":"array"}}"#
        let items = #"{"type":"object","properties":\#(members)}"#
        let all = #"{"type":"array","items":\#(items)}"#
        let expected =
            #"{"type":"object","properties":{"all":\#(all),"one":{"type":"object"}},"#
            + #""required":["all","one"]}"#
        #expect(SchemaOutline.make(of: schema).description == expected)
    }
}
