import JSON
import Testing

@testable import JSONRPC

@Suite("Errors")
struct RPCErrorTests {
    private func data(_ error: RPCError) -> String {
        String(decoding: error.data?.bytes ?? [], as: UTF8.self)
    }

    @Test("are retryable if the call changed nothing")
    func retryable() {
        #expect(data(.inputEnded) == #"{"name":"inputEnded","retryable":true}"#)
        #expect(data(.overloaded) == #"{"name":"overloaded","retryable":true}"#)
    }

    @Test("are not retryable if the call may have changed data")
    func inDoubt() {
        #expect(data(.inputEndedInDoubt) == #"{"name":"inputEnded","retryable":false}"#)
        #expect(data(.cancelledInDoubt) == #"{"name":"cancelled","retryable":false}"#)
    }

    @Test("name an invalid parameter, and are not retryable")
    func invalidParams() {
        let error = RPCError.invalidParams("too large", parameter: "limit")
        let expected = #"{"name":"invalidParams","retryable":false,"parameter":"limit"}"#
        #expect(data(error) == expected)
    }
}
