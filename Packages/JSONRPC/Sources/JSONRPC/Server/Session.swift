import JSON
import Synchronization

/// One connection: takes messages in the order of arrival, starts their work, collects the answers.
///
/// `receive` runs on the reader's thread and never waits: what must keep the order of arrival
/// happens there, all else in tasks.
final class Session: Sendable {
    /// What a session tells the server around it.
    struct Events: Sendable {
        /// The peer said `exit`; the code that the process should end with.
        var onExit: @Sendable (Int32) -> Void
        /// The peer named the process that it is, or that it works for.
        var onProcessID: @Sendable (Int32) -> Void
    }

    private let table: MethodTable
    private let lifecycle: Lifecycle
    private let limits: RPCLimits
    private let peer: Peer
    private let queue: CallQueue
    private let events: Events
    private let isShutDown = Atomic(false)

    init(
        table: MethodTable,
        info: ServerInfo,
        limits: RPCLimits,
        queue: CallQueue,
        send: @escaping @Sendable ([UInt8]) -> Void,
        events: Events
    ) {
        self.table = table
        lifecycle = Lifecycle(info: info, methods: table.methods.map(\.name))
        self.limits = limits
        self.queue = queue
        peer = Peer(send: send, outgoing: OutgoingRequests())
        self.events = events
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
                    receive(Envelope(root, bytes), bytes.count) { [peer] in
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

    /// Finishes what was accepted. No answer of the peer is waited for any more.
    func drain() async {
        peer.outgoing.close()
        await queue.drain()
    }

    /// Cancels what was accepted, and says so for each.
    func cancelAll() {
        peer.outgoing.close()
        queue.cancelAll { Reply.error(.ended, id: $0) }
    }

    private func receiveBatch(_ root: JSONValue, _ bytes: UnsafeRawBufferPointer) {
        guard let array = try? root.array(), array.count > 0 else {
            complain(.invalidRequest("a batch must not be empty"))
            return
        }
        let ranges = JSONScanner.elementRanges(ofArrayIn: bytes)
        let batch = Batch(count: array.count, send: peer.send)
        for (element, range) in zip(array, ranges) {
            let envelope = Envelope(element, UnsafeRawBufferPointer(rebasing: bytes[range]))
            receive(envelope, range.count) { batch.add($0) }
        }
    }

    private func receive(
        _ envelope: Envelope,
        _ size: Int,
        reply: @escaping CallQueue.Reply
    ) {
        switch envelope {
        case .response(let id, let answer):
            if let id { peer.outgoing.answer(id, answer) }
            reply(nil)
        case .invalid(let id, let error): reply(Reply.error(error, id: id))
        case .notification(let method, let params): notified(method, params, size, reply)
        case .request(let id, let method, let params): begin(id, method, params, size, reply)
        }
    }
}

extension Session {
    private func begin(
        _ id: RequestID,
        _ name: String,
        _ given: JSONValue?,
        _ size: Int,
        _ reply: @escaping CallQueue.Reply
    ) {
        do throws(RPCError) {
            if isShutDown.load(ordering: .relaxed) {
                throw .invalidRequest("the server was shut down; only exit is taken now")
            }
            if name == "initialize" { watchProcess(given) }
            if let method = table[name] {
                try start(method, given, id, size, reply)
            } else if name == "shutdown" {
                isShutDown.store(true, ordering: .relaxed)
                reply(Reply.result(.null, id: id.bytes))
            } else if name == "initialize" {
                reply(Reply.result(lifecycle.initializeResult, id: id.bytes))
            } else {
                throw .methodNotFound(name)
            }
        } catch {
            reply(Reply.error(error, id: id.bytes))
        }
    }

    private func start(
        _ method: Method,
        _ given: JSONValue?,
        _ id: RequestID?,
        _ size: Int,
        _ reply: @escaping CallQueue.Reply
    ) throws(RPCError) {
        let call = Call(
            params: try Params(given, for: method),
            meta: (try? given?.object())?.optional("_meta"),
            id: id.map { JSONFragment(trusted: $0.bytes) },
            peer: peer,
            progress: id == nil
                ? nil : Progress(params: given, title: method.summary, notify: peer.notify),
            queue: queue
        )
        let order = CallQueue.Order(
            id: id,
            bytes: size,
            isChange: method.isChange(call),
            work: { await Self.answer(call, by: method) },
            reply: reply
        )
        if !queue.submit(order) { throw .overloaded }
    }

    private static func answer(_ call: Call, by method: Method) async -> [UInt8]? {
        defer { call.progress?.end() }
        do throws(RPCError) {
            let result = try await method.handler(call)
            return call.id.map { Reply.result(result, id: $0.bytes) }
        } catch {
            return call.id.map { Reply.error(error, id: $0.bytes) }
        }
    }

    private func notified(
        _ method: String,
        _ params: JSONValue?,
        _ size: Int,
        _ reply: @escaping CallQueue.Reply
    ) {
        switch method {
        case "exit": events.onExit(isShutDown.load(ordering: .relaxed) ? 0 : 1)
        case "$/cancelRequest": cancel((try? params?.object())?["id"], isAnswered: true)
        case "notifications/cancelled":
            cancel((try? params?.object())?["requestId"], isAnswered: false)
        default:
            if let known = table[method], (try? start(known, params, nil, size, reply)) != nil {
                return
            }
        }
        reply(nil)
    }

    /// LSP answers what was cancelled, MCP does not.
    private func cancel(_ id: JSONValue?, isAnswered: Bool) {
        guard let id else { return }
        queue.cancel(RequestID.key(of: id)) { bytes in
            isAnswered ? Reply.error(.requestCancelled, id: bytes) : nil
        }
    }

    private func watchProcess(_ params: JSONValue?) {
        let id = (try? (try? params?.object())?.optional("processId")?.integer()) ?? nil
        if let id, let id = Int32(exactly: id), id > 1 { events.onProcessID(id) }
    }
}
