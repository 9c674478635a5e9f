import JSON
import JSONRPC
import Synchronization
import Testing

@Suite("Calling methods without a connection")
struct CallingTests {
    private let table = TestMethods.make(Gate())

    private func failure(_ method: String, _ params: String) async -> RPCError? {
        do {
            _ = try await table.call(method, JSONFragment(trusted: Array(params.utf8)))
            return nil
        } catch {
            return error
        }
    }

    @Test("returns the result that a client would receive")
    func result() async throws {
        let params = JSONFragment(trusted: Array(#"{"value":[1]}"#.utf8))
        #expect(try await table.call("echo", params).description == "[1]")
        #expect(try await table.call("notify").description == "null")
    }

    @Test("throws the error that a client would receive")
    func errors() async {
        #expect(await failure("nothing", "{}")?.code == -32_601)
        #expect(await failure("echo", "{}")?.code == -32_602)
        #expect(await failure("echo", #"{"value":1,"more":2}"#)?.code == -32_602)
        #expect(await failure("echo", "not JSON")?.code == -32_602)
        #expect(await failure("echo", #"{"value":1,"limit":"x"}"#)?.code == -32_602)
    }

    @Test("reports progress")
    func progress() async throws {
        let method = Method("steps", "reports", result: .init("r", "null")) {
            call in
            call.report("one")
            call.report("two")
            return .null
        }
        let steps = Mutex<[String]>([])
        _ = try await MethodTable([method]).call("steps") { step in
            steps.withLock { $0.append(step) }
        }
        #expect(steps.withLock(\.self) == ["one", "two"])
    }

    @Test("fails if the method calls its peer")
    func peer() async {
        let method = Method("ask", "asks the peer", result: .init("r", "null")) {
            call throws(RPCError) in
            _ = try await call.peer.call("question")
            return .null
        }
        let table = MethodTable([method])
        await #expect(throws: RPCError.connectionEnded) { try await table.call("ask") }
    }
}
