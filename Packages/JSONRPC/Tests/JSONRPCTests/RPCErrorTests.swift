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

    @Test("state the reason, an invalid parameter, and unknown ones, and are not retryable")
    func invalidParams() {
        let known = RPCError.invalidParams("too large", parameter: "limit")
        let start = #"{"name":"invalidParams","retryable":false,"reason":"too large","parameter":"#
        #expect(data(known) == start + #""limit"}"#)
        let unknown = RPCError.invalidParams("too large", parameter: "x", unknown: ["x", "y"])
        #expect(data(unknown) == start + #""x","unknown":["x","y"]}"#)
        #expect(known.message == "Invalid params: too large")
    }

    @Test("name an unknown method")
    func methodNotFound() {
        let error = RPCError.methodNotFound("a/b", advice: "c lists them")
        #expect(data(error) == #"{"name":"methodNotFound","retryable":false,"method":"a/b"}"#)
        #expect(error.message == "Method not found: a/b; c lists them")
    }
}
