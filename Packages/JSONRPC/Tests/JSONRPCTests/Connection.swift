import Foundation
import JSON
import JSONRPC
import Synchronization

/// A server on real pipes, and the client's ends of them.
final class Connection: Sendable {
    let input: Int32
    private let output: Int32
    private let running: Task<Ending, Never>
    private let pending = Mutex<[UInt8]>([])
    let gate = Gate()

    init(framing: FramingMode = .auto, limits: RPCLimits = RPCLimits()) throws {
        let toServer = try Self.makePipe()
        let fromServer = try Self.makePipe()
        (input, output) = (toServer.write, fromServer.read)
        let server = StdioServer(
            table: Self.table(gate),
            info: ServerInfo(name: "test", version: "1"),
            input: toServer.read,
            output: fromServer.write,
            framing: framing,
            limits: limits,
            log: { _ in }
        )
        running = Task.detached {
            let ending = await server.run()
            close(toServer.read)
            close(fromServer.write)
            return ending
        }
    }

    deinit { close(output) }

    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        return (ends[0], ends[1])
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            sent += count
        }
    }

    func endInput() { close(input) }

    /// The next line of output; nil at its end, or when none comes for 20 seconds.
    func line() async -> String? {
        await offThePool { self.nextLine() }
    }

    /// All output up to its end.
    func rest() async -> String {
        await offThePool {
            while self.readMore() {}
            return self.pending.withLock { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Runs what blocks on a thread of its own: the server under test needs the pool's few.
    func offThePool<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    private func nextLine() -> String? {
        while true {
            let line: String? = pending.withLock { pending in
                guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            if let line { return line }
            if !readMore() { return nil }
        }
    }

    func ending() async -> Ending { await running.value }

    private func readMore() -> Bool {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 20_000) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(output, &buffer, buffer.count)
        guard count > 0 else { return false }
        pending.withLock { $0 += buffer[..<count] }
        return true
    }

    private static func table(_ gate: Gate) -> MethodTable {
        let any = JSONFragment.emptyObject
        let result = Method.Parameter("result", "anything", schema: any)
        let echoed = Method.Parameter("value", "what to give back", isRequired: true, schema: any)
        let limit = Method.Parameter("limit", "a number", schema: any)
        return MethodTable([
            Method("echo", "gives back", parameters: [echoed, limit], result: result) {
                call throws(RPCError) in
                _ = try call.params.integer("limit")
                return call.params.value("value").map { v in JSONFragment { $0.value(v) } } ?? .null
            },
            Method("ping", "answers null", result: result) { _ throws(RPCError) in .null },
            Method("wait", "waits for the gate", result: result) { _ throws(RPCError) in
                await gate.wait()
                return JSONFragment { $0.string("waited") }
            },
            Method("change", "waits for the gate, then counts", result: result, effect: .changes) {
                _ throws(RPCError) in
                await gate.wait()
                return JSONFragment { $0.integer(gate.count()) }
            },
            Method("counted", "the count", result: result) { _ throws(RPCError) in
                JSONFragment { $0.integer(gate.counted) }
            },
            Method("tell", "notifies first", result: result) { call throws(RPCError) in
                call.peer.notify("told", .emptyObject)
                return .null
            },
        ])
    }
}

/// Holds tasks until it is opened, or until they are cancelled.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var count = 0
        var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]
        var cancelled: [CheckedContinuation<Void, Never>] = []
        var hasCancelled = false
        var arrivals: [CheckedContinuation<Void, Never>] = []
        var hasArrival = false
    }

    private let state = Mutex(State())

    var counted: Int { state.withLock { $0.count } }

    func count() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when a task has come here to wait.
    func arrival() async {
        await withCheckedContinuation { continuation in
            let hasArrival = state.withLock { state in
                if !state.hasArrival { state.arrivals.append(continuation) }
                return state.hasArrival
            }
            if hasArrival { continuation.resume() }
        }
    }

    /// Returns when a task that waited here was cancelled.
    func cancellation() async {
        await withCheckedContinuation { continuation in
            let hasCancelled = state.withLock { state in
                if !state.hasCancelled { state.cancelled.append(continuation) }
                return state.hasCancelled
            }
            if hasCancelled { continuation.resume() }
        }
    }

    func wait() async {
        let id = UUID()
        let arrivals = state.withLock { state in
            state.hasArrival = true
            defer { state.arrivals = [] }
            return state.arrivals
        }
        for continuation in arrivals { continuation.resume() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.isOpen || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            let resumed = state.withLock { state in
                state.hasCancelled = true
                defer { state.cancelled = [] }
                return [state.waiting.removeValue(forKey: id)].compactMap(\.self) + state.cancelled
            }
            for continuation in resumed { continuation.resume() }
        }
    }
}
