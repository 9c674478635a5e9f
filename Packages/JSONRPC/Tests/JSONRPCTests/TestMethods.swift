import JSON
import JSONRPC
import JSONRPCTestSupport

/// Methods for the tests.
enum TestMethods {
    static func make(_ gate: Gate) -> MethodTable {
        let any = JSONSchema.any
        let result = Method.Result("result", "anything")
        let echoed = Method.Parameter("value", "what to return", isRequired: true, schema: any)
        let limit = Method.Parameter("limit", "a number", schema: any)
        let methods = [
            Method("echo", "returns its parameter", parameters: [echoed, limit], result: result) {
                call throws(RPCError) in
                _ = try call.params.integer("limit")
                return call.params.value("value").map { v in JSONFragment { $0.value(v) } } ?? .null
            },
            Method("ping", "returns null", result: result) { _ in .null },
            Method("wait", "waits for the gate", result: result) { _ in
                await gate.wait()
                return JSONFragment { $0.string("waited") }
            },
            Method("change", "waits for the gate, then counts", result: result, effect: .changes())
            {
                _ in
                await gate.wait()
                return JSONFragment { $0.integer(gate.count()) }
            },
            Method("counted", "returns the count", result: result) { _ in
                JSONFragment { $0.integer(gate.counted) }
            },
            Method("notify", "notifies first", result: result) { call in
                call.peer.notify("notified", .emptyObject)
                return .null
            },
        ]
        return MethodTable(
            methods + peerMethods(gate, result) + cancelledMethods(gate, result),
            extensions: [.languageServer, .test],
            unknownMethodAdvice: "ask a colleague"
        )
    }

    /// Changes that handle cancellation in different ways.
    private static func cancelledMethods(_ gate: Gate, _ result: Method.Result) -> [Method] {
        let inDoubt = RPCError(code: 1_206, message: "sent, but no response")
        let commit: Method.Handler = { _ throws(RPCError) in
            await gate.wait()
            if Task.isCancelled { throw inDoubt }
            return .null
        }
        var commitLater = Method("commitLater", "commits in turn", result: result) {
            call throws(RPCError) in
            try await call.inTurn { () throws(RPCError) in try await commit(call) }
        }
        commitLater.determineEffect = { _ in .changesLater }
        return [
            Method(
                "commit",
                "fails in doubt if cancelled",
                result: result,
                effect: .changes(),
                handler: commit
            ),
            commitLater,
            Method("stopsClean", "changes nothing if cancelled", result: result, effect: .changes())
            {
                _ throws(RPCError) in
                await gate.wait()
                if Task.isCancelled { throw .requestCancelled }
                return .null
            },
            Method("stuck", "ignores cancellation", result: result, effect: .changes()) {
                _ in
                await Task.detached { await gate.wait() }.value
                return JSONFragment { $0.integer(gate.count()) }
            },
        ]
    }

    private static func peerMethods(_ gate: Gate, _ result: Method.Result) -> [Method] {
        [
            Method("ask", "asks the peer", result: result) { call throws(RPCError) in
                let answer = try await call.withoutCountingAsRunning { () throws(RPCError) in
                    try await call.peer.call("question", .emptyObject, cancellation: .forget)
                }
                return JSONFragment { $0.value(answer) }
            },
            Method("changeLater", "waits, then counts in turn", result: result) {
                call throws(RPCError) in
                await gate.wait()
                return try await call.inTurn {
                    JSONFragment { $0.integer(gate.count()) }
                }
            },
            Method("listen", "waits for the end of input", result: result) {
                call in
                await call.waitForInputEnd()
                return JSONFragment { $0.string("ended") }
            },
            Method("changeLaterAtGate", "waits in turn, then counts", result: result) {
                call throws(RPCError) in
                try await call.inTurn {
                    await gate.wait()
                    return JSONFragment { $0.integer(gate.count()) }
                }
            },
            Method("steps", "Takes two steps.", result: result) { call in
                call.report("one")
                call.report("two")
                return .null
            },
            Method("big", "returns 16 KiB", result: result) { _ in
                _ = gate.count()
                return JSONFragment { $0.string(String(repeating: "x", count: 16 << 10)) }
            },
        ]
    }
}

/// A server with the test methods, and the gate that they wait at.
struct TestServer {
    let gate = Gate()
    let connection: RawConnection

    init(framing: FramingMode = .auto, limits: RPCLimits = RPCLimits()) throws {
        let table = TestMethods.make(gate)
        connection = try RawConnection(table: table, framing: framing, limits: limits)
    }
}

extension CancellationNotification {
    /// A notification that only the tests use.
    static let forget = CancellationNotification("forget", idMember: "question", getsReply: false)
}

extension ProtocolExtension {
    /// A protocol that only the tests use.
    static let test = ProtocolExtension(
        cancellations: [.init("drop", idMember: "request", getsReply: false)],
        progressFormats: [TestProgress.self],
        reservedParameters: ["token", "context"]
    )
}

/// Progress for callers that send a `token`.
private struct TestProgress: ProgressFormat {
    let token: JSONFragment

    init?(params: JSONObject) {
        guard let token = params["token"].flatMap(Self.token) else { return nil }
        self.token = token
    }

    static let method = "step"

    func params(for step: ProgressStep) -> JSONFragment {
        JSONFragment { writer in
            writer.array { writer in
                writer.raw(token)
                writer.integer(step.number)
                writer.string(step.message)
                writer.string(step.title)
            }
        }
    }

    var endParams: JSONFragment? { nil }
}
