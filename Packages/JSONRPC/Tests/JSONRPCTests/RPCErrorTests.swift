import JSON
import Testing

@testable import JSONRPC

@Suite("What an error says about repeating the call")
struct RPCErrorTests {
    private func data(_ error: RPCError) -> String {
        String(decoding: error.data?.bytes ?? [], as: UTF8.self)
    }

    @Test("a call that has changed nothing may be repeated")
    func retryable() {
        #expect(data(.ended) == #"{"name":"ended","retryable":true}"#)
        #expect(data(.overloaded) == #"{"name":"overloaded","retryable":true}"#)
    }

    @Test("a call that may have changed something must not be repeated")
    func inDoubt() {
        #expect(data(.endedInDoubt) == #"{"name":"ended","retryable":false}"#)
        #expect(data(.cancelledInDoubt) == #"{"name":"cancelled","retryable":false}"#)
    }

    @Test("a call with wrong parameters must not be repeated, and names the parameter")
    func invalidParams() {
        let error = RPCError.invalidParams("too large", parameter: "limit")
        let expected = #"{"name":"invalidParams","retryable":false,"parameter":"limit"}"#
        #expect(data(error) == expected)
    }
}
