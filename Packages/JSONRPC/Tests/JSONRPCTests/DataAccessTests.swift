import Foundation
import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@Suite("Calls wait only for changes to their data", .timeLimit(.minutes(10)))
struct DataAccessTests {
    private struct Server {
        let gate = Gate()
        let connection: RawConnection

        init(limits: RPCLimits = RPCLimits()) throws {
            let result = Method.Result("result", "anything")
            let gate = gate
            func reading(_ name: String, _ data: DataAccess?) -> Method {
                Method(name, "reads", result: result, data: data) { _ in
                    JSONFragment { $0.integer(gate.counted) }
                }
            }
            func changing(_ name: String, _ data: DataAccess?, waits: Bool) -> Method {
                Method(name, "changes", result: result, effect: .changes(), data: data) {
                    _ in
                    if waits { await gate.wait() }
                    return JSONFragment { $0.integer(gate.count()) }
                }
            }
            var turn = Method("turn", "changes a later", result: result, data: .init(reads: ["b"]))
            { call throws(RPCError) in
                try await call.inTurn(.init(changes: ["a"])) {
                    JSONFragment { $0.integer(gate.count()) }
                }
            }
            turn.determineEffect = { _ in .changesLater }
            let methods = [
                changing("slowA", .init(changes: ["a"]), waits: true),
                changing("changeA", .init(changes: ["a"]), waits: false),
                changing("changeB", .init(changes: ["b"]), waits: false),
                changing("changeAB", .init(changes: ["a", "b"]), waits: false),
                changing("changeAll", nil, waits: false),
                changing("readAChangeC", .init(reads: ["a"], changes: ["c"]), waits: false),
                reading("readA", .init(reads: ["a"])), reading("readB", .init(reads: ["b"])),
                reading("readC", .init(reads: ["c"])), reading("readAll", nil),
                reading("free", DataAccess.none), turn,
            ]
            connection = try RawConnection(table: MethodTable(methods), limits: limits)
        }

        func send(_ methods: [String]) {
            for method in methods {
                connection.send(
                    #"{"jsonrpc":"2.0","id":"\#(method)","method":"\#(method)"}"# + "\n"
                )
            }
        }

        /// The ids and results of the next `count` replies, as `id=result`.
        func replies(_ count: Int) async -> [String] {
            var replies: [String] = []
            for _ in 0..<count {
                let line = await connection.line() ?? ""
                let reply = line.dropFirst(#"{"jsonrpc":"2.0","id":""#.count).dropLast()
                replies.append(reply.replacingOccurrences(of: #"","result":"#, with: "="))
            }
            return replies
        }
    }

    @Test("calls wait for changes to the same data, but not for changes to other data")
    func overlap() async throws {
        let server = try Server()
        server.send(["slowA"])
        await server.gate.arrival()
        server.send(["readA", "free", "readB", "changeB", "readC"])
        let first = await server.replies(4)
        let names = Set(first.map { $0.prefix { $0 != "=" } })
        #expect(names == ["free", "readB", "changeB", "readC"])
        server.gate.open()
        #expect(await server.replies(2) == ["slowA=2", "readA=2"])
        server.connection.endInput()
    }

    @Test("a change to A and B delays reads of B; a call without declared data waits for all")
    func transitive() async throws {
        let server = try Server()
        server.send(["slowA"])
        await server.gate.arrival()
        server.send(["changeAB", "readB", "readC", "changeAll", "readB", "free"])
        let first = await server.replies(2)
        #expect(Set(first.map { $0.prefix(5) }) == ["readC", "free="])
        server.gate.open()
        let rest = await server.replies(5)
        #expect(rest[0] == "slowA=1" && Set(rest[1...]).contains("changeAB=2"))
        #expect(rest.contains("changeAll=3"))
        #expect(rest.filter { $0.hasPrefix("readB") }.contains("readB=3"))
        server.connection.endInput()
    }

    @Test("a change waits for earlier changes to the data that it reads")
    func reading() async throws {
        let server = try Server()
        server.send(["slowA"])
        await server.gate.arrival()
        server.send(["readAChangeC", "readC", "readB"])
        #expect(await server.replies(1) == ["readB=0"])
        server.gate.open()
        #expect(await server.replies(3) == ["slowA=1", "readAChangeC=2", "readC=2"])
        server.connection.endInput()
    }

    @Test("a call that becomes a change then waits for earlier changes to its data")
    func turn() async throws {
        let server = try Server()
        server.send(["slowA"])
        await server.gate.arrival()
        server.send(["turn", "changeB"])
        #expect(await server.replies(1) == ["changeB=1"])
        server.send(["readA"])
        server.gate.open()
        let rest = await server.replies(3)
        #expect(rest.first == "slowA=2" && rest.contains("turn=3"))
        server.connection.endInput()
    }

    @Test("after a waiting call is cancelled, later calls still wait for the changes before it")
    func cancelledTurn() async throws {
        let server = try Server()
        server.send(["slowA"])
        await server.gate.arrival()
        server.send(["turn", "changeA"])
        let cancel = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"turn"}}"#
        server.connection.send(cancel + "\n")
        #expect(await server.connection.line()?.contains("-32800") == true)
        server.send(["free"])
        #expect(await server.replies(1) == ["free=0"])
        server.gate.open()
        #expect(await server.replies(2) == ["slowA=1", "changeA=2"])
        server.connection.endInput()
    }

    @Test("calls that wait for a change do not count as running")
    func waitingIsNotRunning() async throws {
        var limits = RPCLimits()
        limits.maximumRunning = 2
        let server = try Server(limits: limits)
        server.send(["slowA"])
        await server.gate.arrival()
        server.send(Array(repeating: "readA", count: 10) + ["free"])
        #expect(await server.replies(1) == ["free=0"])
        server.gate.open()
        let rest = await server.replies(11)
        #expect(rest[0] == "slowA=1" && rest[1...].allSatisfy { $0 == "readA=1" })
        server.connection.endInput()
    }
}
