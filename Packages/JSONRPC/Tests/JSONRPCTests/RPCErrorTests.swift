import JSON
import Testing

@testable import JSONRPC

@Suite("Whether an error is retryable")
struct RPCErrorTests {
    private func data(_ error: RPCError) -> String {
        String(decoding: error.data?.bytes ?? [], as: UTF8.self)
    }

    @Test("a call that changed nothing is retryable")
    func retryable() {
        #expect(data(.ended) == #"{"name":"ended","retryable":true}"#)
        #expect(data(.overloaded) == #"{"name":"overloaded","retryable":true}"#)
    }

    @Test("a call that may have changed data is not")
    func inDoubt() {
        #expect(data(.endedInDoubt) == #"{"name":"ended","retryable":false}"#)
        #expect(data(.cancelledInDoubt) == #"{"name":"cancelled","retryable":false}"#)
    }

    @Test("a call with a wrong parameter is not, and the error names the parameter")
    func invalidParams() {
        let error = RPCError.invalidParams("too large", parameter: "limit")
        let expected = #"{"name":"invalidParams","retryable":false,"parameter":"limit"}"#
        #expect(data(error) == expected)
    }
}
