import JSON
import JSONRPC
import Testing

@Suite("Methods with Codable types", .timeLimit(.minutes(10)))
struct CodableMethodTests {
    private struct Division: Codable {
        var dividend: Double
        var divisor: Double
        var digits: Int?
    }

    private struct Mistyped: Encodable {
        var dividend = 1
        var divisor = "2"
    }

    private struct Quotient: Codable, Equatable { var value: Double }

    private struct Failure: Error, CustomStringConvertible { let description = "a failure" }

    private static func divide() throws -> Method {
        Method(
            "divide",
            "Divides.",
            parameters: try .properties(of: Division.self, summaries: ["divisor": "a number"]),
            result: .init("quotient", "a number")
        ) { (input: Division, _) in
            switch input.divisor {
            case 0: throw RPCError(code: 1, message: "no")
            case 1: throw CancellationError()
            case 2: throw Failure()
            default: return Quotient(value: input.dividend / input.divisor)
            }
        }
    }

    /// Calls the method over a connection.
    private func call<Output: Decodable>(
        _ params: some Encodable,
        as type: Output.Type = Quotient.self
    ) async throws -> Output {
        let (one, other) = try Transport.makePair()
        let client = Connection(over: one, framing: .lines)
        let info = ServerInfo(name: "test", version: "1")
        let server = Connection(over: other, table: MethodTable([try Self.divide()]), info: info)
        client.start()
        server.start()
        defer { client.stop() }
        return try await client.peer.call("divide", params, as: type)
    }

    private func errorCode(_ params: some Encodable) async -> Int? {
        do {
            _ = try await call(params)
            return nil
        } catch {
            return (error as? RPCError)?.code
        }
    }

    @Test("decode the parameters, by name or by position, and encode the result")
    func result() async throws {
        let quotient = try await call(Division(dividend: 1.5, divisor: 3))
        #expect(quotient == Quotient(value: 0.5))
        #expect(try await call([6, 4]) == Quotient(value: 1.5))
    }

    @Test("have parameters with the names and types of the properties")
    func parameters() throws {
        let schema = try Self.divide().paramsSchema.fragment.description
        let number = #"{"type":"number","description""#
        let expected =
            #"{"type":"object","properties":{"dividend":\#(number):"dividend"},"#
            + #""divisor":\#(number):"a number"},"#
            + #""digits":{"type":"integer","description":"digits"}},"#
            + #""additionalProperties":false,"required":["dividend","divisor"]}"#
        #expect(schema == expected)
    }

    @Test("return an error of the handler, of cancellation, or of any other type")
    func errors() async {
        #expect(await errorCode([1, 0]) == 1)
        #expect(await errorCode([1, 1]) == -32_800)
        #expect(await errorCode([1, 2]) == -32_603)
    }

    @Test("reject a value of the wrong type, with the name of the parameter")
    func wrongType() async {
        let expected = RPCError.invalidParams("divisor must be a number", parameter: "divisor")
        await #expect(throws: expected) { try await call(Mistyped()) }
    }

    @Test("a result of a different type than expected is an error of the caller")
    func wrongResult() async {
        let params = Division(dividend: 1, divisor: 4)
        let reason = "the result is invalid: result must be a string"
        await #expect(throws: RPCError.internalError(reason)) {
            try await call(params, as: String.self)
        }
    }

    @Test("params that cannot be encoded are not sent")
    func notEncodable() async {
        #expect(await errorCode([Double.nan]) == -32_602)
    }
}
