import JSON
import Synchronization

/// One connection: takes messages in the order of arrival, starts their work, collects the answers.
///
/// `receive` runs on the reader's thread and never waits: what must keep the order of arrival
/// happens there, all else in tasks.
final class Session: Sendable {
    private struct Entry {
        var id: [UInt8]
        var task: Task<Void, Never>?
        var reply: @Sendable ([UInt8]?) -> Void
    }

    private struct State {
        var nextNumber: UInt64 = 0
        var running: [UInt64: Entry] = [:]
        var lastChange: Task<Void, Never>?
        var isShutDown = false
        var idlers: [CheckedContinuation<Void, Never>] = []
    }

    private let table: MethodTable
    private let lifecycle: Lifecycle
    private let limits: RPCLimits
    private let peer: Peer
    private let onExit: @Sendable (Int32) -> Void
    private let state = Mutex(State())

    init(
        table: MethodTable,
        info: ServerInfo,
        limits: RPCLimits,
        send: @escaping @Sendable ([UInt8]) -> Void,
        onExit: @escaping @Sendable (Int32) -> Void
    ) {
        self.table = table
        lifecycle = Lifecycle(info: info, methods: table.methods.map(\.name))
        self.limits = limits
        peer = Peer(send: send)
        self.onExit = onExit
    }

    /// Takes one message.
    func receive(_ message: [UInt8]) {
        let depth = JSONLimits(
            maximumBytes: limits.maximumMessageBytes,
            maximumDepth: limits.maximumDepth
        )
        do throws(JSONError) {
            let root = try JSONDocument(parsing: message, limits: depth).root
            message.withUnsafeBytes { bytes in
                if root.kind == .array {
                    receiveBatch(root, bytes)
                } else {
                    receive(Envelope(root, bytes)) { [peer] in
                        if let reply = $0 { peer.send(reply) }
                    }
                }
            }
        } catch {
            complain(.parseError(error.description))
        }
    }

    /// Answers what could not be understood as a message.
    func complain(_ error: RPCError) {
        peer.send(Reply.error(error, id: Envelope.nullID))
    }

    private func receiveBatch(_ root: JSONValue, _ bytes: UnsafeRawBufferPointer) {
        guard let array = try? root.array(), array.count > 0 else {
            complain(.invalidRequest("a batch must not be empty"))
            return
        }
        let ranges = JSONScanner.elementRanges(ofArrayIn: bytes)
        let batch = Batch(count: array.count, send: peer.send)
        for (element, range) in zip(array, ranges) {
            receive(Envelope(element, UnsafeRawBufferPointer(rebasing: bytes[range]))) {
                batch.add($0)
            }
        }
    }

    private func receive(_ envelope: Envelope, reply: @escaping @Sendable ([UInt8]?) -> Void) {
        switch envelope {
        case .response: reply(nil)
        case .invalid(let id, let error): reply(Reply.error(error, id: id))
        case .notification(let method, let params):
            notified(method, params)
            reply(nil)
        case .request(let id, let method, let params): begin(id, method, params, reply)
        }
    }
}

extension Session {
    private func begin(
        _ id: [UInt8],
        _ name: String,
        _ given: JSONValue?,
        _ reply: @escaping @Sendable ([UInt8]?) -> Void
    ) {
        do throws(RPCError) {
            if state.withLock({ $0.isShutDown }) {
                throw .invalidRequest("the server was shut down; only exit is taken now")
            }
            if let method = table[name] {
                let params = try Params(given, for: method.parameters)
                start(method, Call(params: params, peer: peer), id, reply)
            } else if name == "shutdown" {
                shutDown(id, reply)
            } else if let result = lifecycle.answer(name) {
                reply(Reply.result(result, id: id))
            } else {
                throw .methodNotFound(name)
            }
        } catch {
            reply(Reply.error(error, id: id))
        }
    }

    /// Starts a call. A change waits for the change before it; a reading call waits for the change
    /// that arrived before it, so that a list sent after a booking sees the booking.
    private func start(
        _ method: Method,
        _ call: Call,
        _ id: [UInt8],
        _ reply: @escaping @Sendable ([UInt8]?) -> Void
    ) {
        state.withLock { state in
            let number = state.nextNumber
            state.nextNumber &+= 1
            let earlier = state.lastChange
            state.running[number] = Entry(id: id, task: nil, reply: reply)
            let task = Task.detached { [self] in
                await earlier?.value
                if Task.isCancelled {
                    return finish(number, Reply.error(.requestCancelled, id: id))
                }
                do throws(RPCError) {
                    finish(number, Reply.result(try await method.handler(call), id: id))
                } catch {
                    finish(number, Reply.error(error, id: id))
                }
            }
            state.running[number]?.task = task
            if method.effect == .changes { state.lastChange = task }
        }
    }

    private func finish(_ number: UInt64, _ answer: [UInt8]) {
        let (entry, idlers) = state.withLock { state in
            let entry = state.running.removeValue(forKey: number)
            guard state.running.isEmpty else {
                return (entry, [CheckedContinuation<Void, Never>]())
            }
            let idlers = state.idlers
            state.idlers = []
            return (entry, idlers)
        }
        // Nil when a cancel was answered before.
        entry?.reply(answer)
        for idler in idlers { idler.resume() }
    }

    private func notified(_ method: String, _ params: JSONValue?) {
        switch method {
        case "exit": onExit(state.withLock { $0.isShutDown } ? 0 : 1)
        case "$/cancelRequest": cancel(params)
        default:
            guard let known = table[method],
                let params = try? Params(params, for: known.parameters)
            else { return }
            start(known, Call(params: params, peer: peer), Envelope.nullID) { _ in }
        }
    }

    /// Answers the request that is cancelled at once; its task learns of it and its result, if
    /// there still is one, goes nowhere.
    private func cancel(_ params: JSONValue?) {
        guard let id = (try? params?.object())?["id"] else { return }
        let wanted = JSONFragment { $0.value(id) }.bytes
        let found = state.withLock { state in
            let number = state.running.first { $0.value.id == wanted }?.key
            return number.flatMap { state.running[$0] }.map { (number, $0) }
        }
        guard let (number, entry) = found, let number else { return }
        entry.task?.cancel()
        finish(number, Reply.error(.requestCancelled, id: entry.id))
    }

    private func shutDown(_ id: [UInt8], _ reply: @escaping @Sendable ([UInt8]?) -> Void) {
        state.withLock { $0.isShutDown = true }
        reply(Reply.result(.null, id: id))
    }

    /// Returns when no call is under way.
    func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.running.isEmpty { return true }
                state.idlers.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Cancels every call that is under way, without an answer.
    func cancelAll() {
        let entries = state.withLock { state in
            defer { state.running = [:] }
            return Array(state.running.values)
        }
        for entry in entries { entry.task?.cancel() }
        let idlers = state.withLock { state in
            defer { state.idlers = [] }
            return state.idlers
        }
        for idler in idlers { idler.resume() }
    }
}
