import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

/// The text of each request and response is that of the specification. Only two things may differ
/// from its responses: the order of members and of a batch, and the text of an error.
@Suite("The examples of JSON-RPC 2.0, section 7", .timeLimit(.minutes(10)))
struct SpecificationExamplesTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: String
        /// Empty if the specification returns nothing.
        let response: String

        init(_ title: String, _ request: String, _ response: String = "") {
            (testDescription, self.request, self.response) = (title, request, response)
        }
    }

    static let examples = [
        Example(
            "positional parameters",
            #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
            #"{"jsonrpc": "2.0", "result": 19, "id": 1}"#
        ),
        Example(
            "positional parameters in a different order",
            #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#,
            #"{"jsonrpc": "2.0", "result": -19, "id": 2}"#
        ),
        Example(
            "named parameters",
            #"{"jsonrpc": "2.0", "method": "subtract", "#
                + #""params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
            #"{"jsonrpc": "2.0", "result": 19, "id": 3}"#
        ),
        Example(
            "named parameters in a different order",
            #"{"jsonrpc": "2.0", "method": "subtract", "#
                + #""params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
            #"{"jsonrpc": "2.0", "result": 19, "id": 4}"#
        ),
        Example(
            "a notification",
            #"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#
        ),
        Example(
            "a notification of a method that does not exist",
            #"{"jsonrpc": "2.0", "method": "foobar"}"#
        ),
        Example(
            "a method that does not exist",
            #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
            #"{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "#
                + #""id": "1"}"#
        ),
        Example(
            "invalid JSON",
            #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
            #"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#
        ),
        Example(
            "an invalid request",
            #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
            #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "#
                + #""id": null}"#
        ),
        Example(
            "a batch of invalid JSON",
            """
            [
              {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
              {"jsonrpc": "2.0", "method"
            ]
            """,
            #"{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}"#
        ),
        Example(
            "an empty array",
            "[]",
            #"{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "#
                + #""id": null}"#
        ),
        Example(
            "an invalid batch that is not empty",
            "[1]",
            """
            [
              {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}
            ]
            """
        ),
        Example(
            "an invalid batch",
            "[1,2,3]",
            """
            [
              {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
              {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
              {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}
            ]
            """
        ),
        Example(
            "a batch",
            """
            [
                {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
                {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
                {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
                {"foo": "boo"},
                {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
                {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
            ]
            """,
            """
            [
                {"jsonrpc": "2.0", "result": 7, "id": "1"},
                {"jsonrpc": "2.0", "result": 19, "id": "2"},
                {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "5"},
                {"jsonrpc": "2.0", "result": ["hello", 5], "id": "9"}
            ]
            """
        ),
        Example(
            "a batch of notifications",
            """
            [
                {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
                {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
            ]
            """
        ),
    ]

    @Test(arguments: examples)
    func example(_ example: Example) async throws {
        let server = try RawConnection(table: MethodTable(Self.methods))
        server.send("Content-Length: \(example.request.utf8.count)\r\n\r\n\(example.request)")
        server.endInput()
        let output = await server.rest()
        let response = output.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
        #expect(try outline(response) == outline(example.response[...]))
    }

    /// A response without the text of its errors, in a fixed order.
    private func outline(_ text: Substring) throws -> [String] {
        if text.isEmpty { return [] }
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        let isBatch = root.kind == .array
        let responses = isBatch ? Array(try root.array()) : [root]
        let outlines = try responses.map { response in
            let object = try response.object()
            let code = try object["error"]?.object().required("code").integer()
            let id = JSONFragment { $0.value(object["id"] ?? response) }
            let result = object["result"].map { value in JSONFragment { $0.value(value) } }
            let version = try object.required("jsonrpc").string()
            return "\(version) \(id) \(result?.description ?? "none") \(code ?? 0) \(isBatch)"
        }
        return outlines.sorted()
    }

    private static let methods = [
        method("subtract", ["minuend", "subtrahend"]) { numbers in
            JSONFragment { $0.integer(numbers[0] - numbers[1]) }
        },
        method("sum", ["a", "b", "c"]) { numbers in
            JSONFragment { $0.integer(numbers.reduce(0, +)) }
        },
        method("update", ["a", "b", "c", "d", "e"]) { _ in .null },
        method("notify_hello", ["a"]) { _ in .null },
        method("notify_sum", ["a", "b", "c"]) { _ in .null },
        method("get_data", []) { _ in JSONFragment(trusted: Array(#"["hello",5]"#.utf8)) },
    ]

    private static func method(
        _ name: String,
        _ parameters: [String],
        _ run: @escaping @Sendable ([Int]) -> JSONFragment
    ) -> Method {
        Method(
            name,
            "an example",
            parameters: parameters.map {
                .init($0, "a number", isRequired: true, schema: .any)
            },
            result: .init("result", "a value")
        ) { call throws(RPCError) in
            var numbers: [Int] = []
            for parameter in parameters { numbers.append(try call.params.integer(parameter) ?? 0) }
            return run(numbers)
        }
    }
}
