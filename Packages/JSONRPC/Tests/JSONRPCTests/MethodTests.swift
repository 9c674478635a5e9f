import JSON
import JSONRPC
import Testing

@Suite("Method descriptions")
struct MethodTests {
    @Test("by default, a change is neither destructive nor idempotent")
    func defaults() {
        #expect(Method.Effect.changes() == .changes(destroys: false, isIdempotent: false))
    }

    @Test("the schema of its parameters has names, summaries, and types, one each")
    func paramsSchema() {
        var method = Method(
            "m",
            "Does things.",
            parameters: [
                .init("a", "the first", isRequired: true, schema: .string),
                .init("b", "the second", schema: .string),
                .init("c", "the third", schema: .string(in: ["x"])),
            ],
            result: .init("r", "nothing")
        ) { _ in .null }
        let a = #""a":{"type":"string","description":"the first"}"#
        let b = #""b":{"type":"string","description":"the second"}"#
        let c = #""c":{"type":"string","enum":["x"],"description":"the third"}"#
        let head = #"{"type":"object","properties":{\#(a),\#(b),\#(c)}"#
        let closed = head + #","additionalProperties":false,"required":["a"]}"#
        #expect(method.paramsSchema.fragment.description == closed)
        method.acceptsUnknownParameters = true
        #expect(method.paramsSchema.fragment.description == head + #","required":["a"]}"#)
    }

    @Test("a method may change data if it is a change, or if each call determines its effect")
    func mayChange() {
        var method = Method("m", "Does things.", result: .init("r", "nothing")) {
            _ in .null
        }
        #expect(!method.mayChange)
        method.effect = .changes()
        #expect(method.mayChange)
        method.effect = .reads
        method.determineEffect = { _ in .reads }
        #expect(method.mayChange)
    }

    @Test("if two methods have the same name, the table uses the first one")
    func sameName() {
        func method(_ summary: String) -> Method {
            Method("m", summary, result: .init("r", "nothing")) { _ in .null }
        }
        let table = MethodTable([method("first"), method("second")])
        #expect(table["m"]?.summary == "first" && table.methods.count == 2)
    }

    @Test("each key type has its own annotation")
    func annotations() {
        enum Color: Annotations.Key { typealias Value = String }
        enum Shape: Annotations.Key { typealias Value = String }
        var annotations = Annotations()
        annotations[Color.self] = "red"
        #expect(annotations[Color.self] == "red" && annotations[Shape.self] == nil)
        annotations[Color.self] = nil
        #expect(annotations[Color.self] == nil)
    }
}
