import JSON
import Testing

@Suite("Indented JSON")
struct IndentationTests {
    private func indented(_ text: String, by spaces: Int = 2) -> String {
        JSONFragment(trusted: Array(text.utf8)).indented(by: spaces).description
    }

    @Test("each member and element has its own line; empty containers have none")
    func lines() {
        let text = #"{"a":[1,{"b":null},[],{}],"c":"x","d":{"e":[[true]]}}"#
        let expected = """
            {
              "a": [
                1,
                {
                  "b": null
                },
                [],
                {}
              ],
              "c": "x",
              "d": {
                "e": [
                  [
                    true
                  ]
                ]
              }
            }
            """
        #expect(indented(text) == expected)
        #expect(indented(expected) == expected, "it is unchanged if it is indented again")
        #expect(indented(#" { "a" : [ ] } "#, by: 4) == "{\n    \"a\": []\n}")
        #expect(indented("[1,2]", by: 0) == "[\n1,\n2\n]")
        #expect(indented(" -1.50e3 ") == "-1.50e3")
    }

    @Test("strings and numbers keep their spelling")
    func spelling() {
        let strings = #"["{\"a\":[1, 2]}","\\","é\u00e9 \n ,:"]"#
        #expect(
            indented(strings, by: 1)
                == #"[\#n "{\"a\":[1, 2]}",\#n "\\",\#n "é\u00e9 \n ,:"\#n]"#
        )
        #expect(indented("[9.30,1e2]", by: 1) == "[\n 9.30,\n 1e2\n]")
    }

    @Test(
        "text that is not JSON does not cause a trap",
        arguments: ["]]]}", "[", "\"\\", ",:", ""]
    )
    func notJSON(text: String) {
        #expect(indented(text).count >= text.count)
    }

    @Test("a value that consists of several chunks is indented as a whole")
    func chunks() {
        let long = String(repeating: "x ", count: 20_000)
        let fragment = JSONFragment { writer in
            writer.array { $0.splice(Array("[\"\(long)\"]".utf8)[...]) }
        }
        #expect(fragment.indented().description == "[\n  [\n    \"\(long)\"\n  ]\n]")
    }
}
