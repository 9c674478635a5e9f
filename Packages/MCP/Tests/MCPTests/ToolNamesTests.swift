import Testing

@testable import MCP

@Suite("Names of tools in texts")
struct ToolNamesTests {
    private let names = ToolNames(
        ofMethods: ["things/list", "things/act", "my-files/v2_read", "azAZ/09"]
    )

    @Test(
        "method names are replaced by tool names",
        arguments: [
            ("things/list shows them.", "things_list shows them."),
            ("Call things/act, then things/list.", "Call things_act, then things_list."),
            ("things/list", "things_list"),
            ("(see my-files/v2_read)", "(see my-files_v2_read)"), ("azAZ/09", "azAZ_09"),
            ("`things/act` [things/act]", "`things_act` [things_act]"),
            ("{things/act}@things/act:", "{things_act}@things_act:"),
        ]
    )
    func methods(text: String, expected: String) {
        #expect(names.replacingMethods(in: text) == expected)
    }

    @Test(
        "other words are not changed",
        arguments: [
            "things/lists", "things/list2", "things/", "/things/list", "and/or", "a things/list/x",
            "", "Größe/Menge",
        ]
    )
    func others(text: String) {
        #expect(names.replacingMethods(in: text) == text)
    }
}
