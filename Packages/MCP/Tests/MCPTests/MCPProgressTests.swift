import JSON
import Testing

@testable import JSONRPC
@testable import MCP

@Suite("MCP progress")
struct MCPProgressTests {
    private func params(completed: Double?, total: Double?) throws -> String {
        let text = Array(#"{"_meta":{"progressToken":"t"}}"#.utf8)
        let progress = MCPProgress(params: try JSONDocument(parsing: text).root.object())
        let step = ProgressStep(
            number: 2,
            message: "working",
            title: "Works.",
            completed: completed,
            total: total
        )
        return try #require(progress).params(for: step).description
    }

    @Test("is the number of the step if the amount is unknown")
    func unknown() throws {
        let expected = #"{"progressToken":"t","progress":2,"message":"working"}"#
        #expect(try params(completed: nil, total: nil) == expected)
    }

    @Test("is the amount, and has the total if it is known")
    func known() throws {
        #expect(try params(completed: 0.5, total: nil).contains(#""progress":0.5,"message""#))
        let both = #""progress":25.0,"total":100.0,"message""#
        #expect(try params(completed: 25, total: 100).contains(both))
    }
}
