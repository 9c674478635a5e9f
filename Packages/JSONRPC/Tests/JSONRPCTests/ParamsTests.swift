import JSON
import Testing

@testable import JSONRPC

@Suite("Params")
struct ParamsTests {
    private func params(_ text: String) throws -> Params {
        let schema = JSONFragment.emptyObject
        let method = Method(
            "m",
            "Does things.",
            parameters: [.init("a", "the first", schema: schema)],
            result: .init("r", "nothing")
        ) { _ throws(RPCError) in .null }
        return try Params(encoded: JSONFragment(trusted: Array(text.utf8)), for: method)
    }

    @Test(
        "a default applies if the parameter is absent or null",
        arguments: ["{}", #"{"a":null}"#]
    )
    func absent(text: String) throws {
        let params = try params(text).defaulting("a", to: JSONFragment { $0.integer(1) })
        #expect(try params.integer("a") == 1)
    }

    @Test("a default does not replace a value")
    func present() throws {
        let params = try params(#"{"a":2}"#).defaulting("a", to: JSONFragment { $0.integer(1) })
        #expect(try params.integer("a") == 2)
    }

    @Test("a default that is not valid JSON is ignored")
    func invalid() throws {
        let broken = JSONFragment(trusted: Array("{".utf8))
        #expect(try params("{}").defaulting("a", to: broken).value("a") == nil)
    }

    @Test("a value of the wrong type is an error with the name of the parameter")
    func types() throws {
        let params = try params(#"{"a":[]}"#)
        #expect(throws: RPCError.invalidParams("\"a\" must be a string", parameter: "a")) {
            try params.string("a")
        }
        #expect(throws: RPCError.self) { try params.integer("a") }
        #expect(throws: RPCError.self) { try params.bool("a") }
        #expect(try params.string("b") == nil)
    }
}
