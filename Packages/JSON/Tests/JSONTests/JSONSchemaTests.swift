import JSON
import Testing

@Suite("A JSON Schema")
struct JSONSchemaTests {
    @Test(
        "contains the keywords of its kind",
        arguments: [
            (JSONSchema.any, "{}"),
            (.string, #"{"type":"string"}"#),
            (
                .string(pattern: #"^\d$"#, minimumLength: 1, maximumLength: 2),
                #"{"type":"string","pattern":"^\\d$","minLength":1,"maxLength":2}"#
            ),
            (.string(), #"{"type":"string"}"#),
            (.string(in: ["a", "b"]), #"{"type":"string","enum":["a","b"]}"#),
            (.integer(in: 5...1_440), #"{"type":"integer","minimum":5,"maximum":1440}"#),
            (.number(in: 0..<0.5), #"{"type":"number","minimum":0.0,"exclusiveMaximum":0.5}"#),
            (.constant(JSONFragment { $0.bool(true) }), #"{"const":true}"#),
            (.array(of: .boolean), #"{"type":"array","items":{"type":"boolean"}}"#),
            (.anyOf([.number, .null]), #"{"anyOf":[{"type":"number"},{"type":"null"}]}"#),
        ]
    )
    func keywords(schema: JSONSchema, text: String) {
        #expect(schema.fragment.description == text)
    }
}
