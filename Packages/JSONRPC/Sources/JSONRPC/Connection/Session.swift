import JSON
import Synchronization

/// One connection: decodes messages in order of arrival, handles those of the protocol itself, and
/// starts calls for the others.
///
/// ``receive(_:)`` runs on the thread that reads the input and never blocks. Everything that
/// depends on the order of messages happens there.
final class Session: Sendable {
    /// Reports the end of a call: the error, or nil if it succeeded.
    typealias Report = @Sendable (RPCError?) -> Void

    /// The callbacks of the session.
    struct Events: Sendable {
        /// Called when the peer has sent `exit`, with the code with which the process should exit.
        var onExit: @Sendable (Int32) -> Void
        /// Called when the peer has sent the id of a process. The server should stop when that
        /// process exits.
        var onProcessID: @Sendable (Int32) -> Void
        /// Receives errors that cannot be sent to the peer, in one line each.
        var log: @Sendable (String) -> Void
    }

    let table: MethodTable
    /// The reply to `initialize`; nil for a client, which has no lifecycle.
    let initializeResult: JSONFragment?
    let limits: RPCLimits
    let peer: Peer
    let send: @Sendable (JSONFragment) -> Void
    let queue: CallQueue
    let latencies = LatencyTracker()
    let events: Events
    private let observer: (any CallObserver)?
    private let state = Mutex(SessionState.serving(watchedProcess: nil))
    let sendReply: QueuedCall.ReplyHandler

    init(
        table: MethodTable,
        info: ServerInfo?,
        limits: RPCLimits,
        peer: Peer,
        queue: CallQueue,
        observer: (any CallObserver)?,
        send: @escaping @Sendable (JSONFragment) -> Void,
        events: Events
    ) {
        self.table = table
        initializeResult = info?.lspInitializeResult(methods: table.methods.map(\.name))
        self.limits = limits
        self.queue = queue
        self.peer = peer
        self.observer = observer
        self.send = send
        self.events = events
        sendReply = { if let reply = $0 { send(reply) } }
    }

    /// Handles one message; true if it is a response, which causes no output.
    func receive(_ message: [UInt8]) -> Bool {
        do {
            let root = try JSONDocument(parsing: message, limits: limits.json).root
            return message.withUnsafeBytes { bytes in
                if root.kind == .array {
                    receiveBatch(root, bytes)
                    return false
                }
                let envelope = Envelope(root, bytes)
                handle(envelope, size: bytes.count, reply: sendReply)
                if case .response = envelope { return true }
                return false
            }
        } catch {
            return receive(invalid: message, error)
        }
    }

    /// Sends an error for input that is not a valid message, with the id of the message, or else with a
    /// null id. A client only logs it: such input is often a line that the server prints by mistake.
    func sendError(_ error: RPCError, id: [UInt8] = Envelope.nullID) {
        guard initializeResult != nil else { return events.log(error.message) }
        send(Reply.error(error, id: id))
    }

    /// Waits for the accepted calls to finish. This side's calls to the peer fail from now on.
    func drain() async {
        peer.end()
        await queue.drain()
    }

    /// Cancels the accepted calls and replies to them. Calls that may have changed data can reply
    /// themselves until ``abandonAll()``.
    func cancelAll() {
        peer.end()
        queue.cancelAll()
    }

    /// Replies to the calls that have not replied since ``cancelAll()``.
    func abandonAll() { queue.abandonAll() }
}

extension Session {
    private func receiveBatch(_ root: JSONValue, _ bytes: UnsafeRawBufferPointer) {
        guard let array = try? root.array(), array.count > 0 else {
            return sendError(.invalidRequest("a batch must not be empty"))
        }
        let limit = limits.maximumBatchCount
        guard array.count <= limit else {
            let reason = "a batch may have at most \(limit) messages, not \(array.count)"
            return sendError(.invalidRequest(reason))
        }
        let ranges = JSONScanner.elementRanges(ofArrayIn: bytes)
        let batch = Batch(count: array.count, send: send)
        for (element, range) in zip(array, ranges) {
            let envelope = Envelope(element, UnsafeRawBufferPointer(rebasing: bytes[range]))
            handle(envelope, size: range.count) { batch.add($0) }
        }
    }

    func handle(
        _ envelope: Envelope,
        size: Int,
        reply: @escaping QueuedCall.ReplyHandler
    ) {
        switch envelope {
        case .response(let id, let response):
            if let id { peer.receive(response, for: id) }
            reply(nil)
        case .invalid(let id, let error):
            // A client only logs the error: the id may be that of a request from the server, which
            // would take the error for the response to it.
            if initializeResult == nil { events.log(error.message) }
            reply(initializeResult.map { _ in Reply.error(error, id: id) })
        case .notification(let method, let params):
            notify(method, params, size, reply)
        case .request(let id, let name, let params):
            let didEnd = makeReport(of: name)
            do throws(RPCError) {
                if state.withLock(\.isShutDown) {
                    throw .invalidRequest("the server is shut down; only exit is accepted")
                }
                if name == "initialize", initializeResult != nil { watchProcess(params) }
                if let method = table[name] {
                    try start(method, params, id: id, size: size, didEnd, reply: reply)
                } else {
                    let result = try builtInResult(of: name)
                    didEnd?(nil)
                    reply(Reply.result(result, id: id.bytes))
                }
            } catch {
                didEnd?(error)
                reply(Reply.error(error, id: id.bytes))
            }
        }
    }

    private func notify(
        _ name: String,
        _ params: JSONValue?,
        _ size: Int,
        _ reply: @escaping QueuedCall.ReplyHandler
    ) {
        if name == "exit", initializeResult != nil {
            events.onExit(state.withLock(\.exitCode))
        } else if let cancellation = table.protocolExtension.cancellation(for: name) {
            if let id = (try? params?.object())?.member(named: cancellation.idMember) {
                let getsReply = cancellation.getsReply
                let isSilent = table.protocolExtension.isSilentAfterCancellation
                queue.cancel(
                    RequestID.key(of: id),
                    .byCaller(getsReply: getsReply, isSilent: isSilent)
                )
            }
        } else if let method = table[name] {
            let didEnd = makeReport(of: name)
            guard let receive = method.receive else {
                return start(notification: method, params, size: size, didEnd, reply: reply)
            }
            receive(params)
            didEnd?(nil)
        }
        reply(nil)
    }

    /// Makes a closure that reports the end of a call that arrives now; nil if there is no
    /// observer.
    func makeReport(of method: String) -> Report? {
        guard let observer else { return nil }
        let arrival = ContinuousClock.now
        return { error in
            let duration = ContinuousClock.now - arrival
            observer.didHandle(CompletedCall(method: method, duration: duration, error: error))
        }
    }

    /// The result of a method that the session of a server itself implements.
    private func builtInResult(of name: String) throws(RPCError) -> JSONFragment {
        switch (name, initializeResult) {
        case ("initialize", let result?): return result
        case ("shutdown", .some):
            state.withLock { $0.shutdown() }
            return .null
        default: throw table.methodNotFound(name)
        }
    }

    private func watchProcess(_ params: JSONValue?) {
        let id = (try? (try? params?.object())?.optional("processId")?.integer()) ?? nil
        guard let id = id.flatMap(Int32.init(exactly:)),
            state.withLock({ $0.initialize(processID: id) })
        else { return }
        events.onProcessID(id)
    }
}
