import JSON
import Testing

@testable import JSONRPC

@Suite("Params")
struct ParamsTests {
    private func params(
        _ text: String,
        isRequired: Bool = false,
        treatsEmptyAsAbsent: Bool = false
    ) throws -> Params {
        var method = Method(
            "m",
            "Does things.",
            parameters: [.init("a", "the first", isRequired: isRequired, schema: .any)],
            result: .init("r", "nothing")
        ) { _ in .null }
        method.treatsEmptyAsAbsent = treatsEmptyAsAbsent
        return try Params(encoded: JSONFragment(trusted: Array(text.utf8)), for: method)
    }

    private func one() throws -> JSONValue { try JSONDocument(parsing: Array("1".utf8)).root }

    @Test(
        "an optional parameter that is null is absent, so its default is set",
        arguments: ["{}", #"{"a":null}"#, "[null]"],
        [false, true]
    )
    func absent(text: String, treatsEmptyAsAbsent: Bool) throws {
        let params = try params(text, treatsEmptyAsAbsent: treatsEmptyAsAbsent)
        #expect(params.value("a") == nil)
        #expect(try params.defaulting("a", to: one()).integer("a") == 1)
    }

    @Test(
        "an empty string or array is absent only if the method says so",
        arguments: [#"{"a":""}"#, #"{"a":[]}"#, #"[""]"#, "[[]]"]
    )
    func empty(text: String) throws {
        #expect(try params(text, treatsEmptyAsAbsent: true).value("a") == nil)
        #expect(try params(text).value("a") != nil)
        #expect(try params(text, isRequired: true).value("a") != nil)
    }

    @Test(
        "an empty object, a space, zero, and false are values",
        arguments: ["{}", #"" ""#, "0", "false"]
    )
    func values(value: String) throws {
        let params = try params(#"{"a":\#(value)}"#, treatsEmptyAsAbsent: true)
        #expect(params.value("a") != nil)
    }

    @Test(
        "a required parameter that is absent is an error with its summary",
        arguments: [("null", "missing"), (#""""#, "empty"), ("[]", "empty")]
    )
    func required(value: String, problem: String) {
        let error = RPCError.invalidParams("\"a\" is \(problem): the first", parameter: "a")
        #expect(throws: error) {
            try params(#"{"a":\#(value)}"#, isRequired: true, treatsEmptyAsAbsent: true)
        }
    }

    @Test("unknown parameters are one error that names them and the known ones")
    func unknown() {
        let text = "unknown parameter \"one\"; unknown parameter \"two\"; known: a"
        let error = RPCError.invalidParams(text, parameter: "one", unknown: ["one", "two"])
        #expect(throws: error) { try params(#"{"one":1,"a":2,"two":3}"#) }
    }

    @Test("a default does not replace a value")
    func present() throws {
        let params = try params(#"{"a":2}"#).defaulting("a", to: one())
        #expect(try params.integer("a") == 2)
    }

    @Test("a value that is not valid JSON is ignored")
    func invalid() throws {
        let broken = JSONFragment(trusted: Array("{".utf8))
        #expect(try params("{}").setting("a", to: broken).value("a") == nil)
    }

    @Test("a number may be an integer", arguments: [("1.5", 1.5), ("2", 2), ("-1e3", -1_000)])
    func numbers(text: String, number: Double) throws {
        #expect(try params("[\(text)]").number("a") == number)
    }

    @Test("a value of the wrong type is an error with the name of the parameter")
    func types() throws {
        let params = try params(#"{"a":{}}"#)
        #expect(throws: RPCError.invalidParams("\"a\" must be a string", parameter: "a")) {
            try params.string("a")
        }
        #expect(throws: RPCError.self) { try params.integer("a") }
        #expect(throws: RPCError.self) { try params.number("a") }
        #expect(throws: RPCError.self) { try params.bool("a") }
        #expect(try params.string("b") == nil)
    }
}
