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

// Turns requests and notifications into calls, and submits them to the queue.
extension Session {
    /// Submits a notification. Its errors are logged, because no reply reports them.
    func start(
        notification method: Method,
        _ params: JSONValue?,
        size: Int,
        _ didEnd: Report?,
        reply: @escaping QueuedCall.ReplyHandler
    ) {
        let handler = method.handler
        let logError = { @Sendable [events] (error: RPCError) in
            events.log("the notification \"\(method.name)\" failed: \(error.message)")
        }
        var logging = method
        logging.handler = { call throws(RPCError) in
            do throws(RPCError) {
                return try await handler(call)
            } catch {
                if error != .requestCancelled { logError(error) }
                throw error
            }
        }
        do {
            try start(logging, params, id: nil, size: size, didEnd, reply: reply)
        } catch {
            logError(error)
            didEnd?(error)
            reply(nil)
        }
    }

    /// Submits a call of `method`. `id` is nil for a notification; `size` is the size of the
    /// message in bytes. Throws if the params are invalid or the queue rejects the call; `didEnd`
    /// then has not been called.
    func start(
        _ method: Method,
        _ params: JSONValue?,
        id: RequestID?,
        size: Int,
        _ didEnd: Report?,
        reply: @escaping QueuedCall.ReplyHandler
    ) throws(RPCError) {
        let protocolExtension = table.protocolExtension
        let call = Call(
            params: try Params(params, for: method, ignoring: protocolExtension.reservedParameters),
            rawParams: params,
            id: id.map { JSONFragment(trusted: $0.bytes) },
            peer: peer,
            progress: id == nil
                ? nil
                : ProgressReporter(
                    params,
                    protocolExtension.progressFormats,
                    title: method.summary,
                    peer: peer
                ),
            queue: queue
        )
        let effect = method.effect(of: call)
        let group = method.latencyGroup?(call) ?? method.name
        // Finding the data of a call can take longer than the call, so do it only if the call may
        // have to wait for a change.
        let needsAccess = effect != .reads || queue.hasChanges
        try queue.submit(
            QueuedCall(
                id: id,
                bytes: QueuedCall.estimatedMemory(ofMessage: size),
                params: params,
                effect: effect,
                access: needsAccess ? method.data(of: call) : DataAccess.none,
                isFast: effect == .reads && method.mayRunInline && latencies.isFast(group),
                work: { [latencies, handler = method.handler] in
                    let start = ContinuousClock.now
                    let (outcome, error) = await Self.run(call, handler)
                    latencies.record(group, ContinuousClock.now - start)
                    didEnd?(error)
                    return outcome
                },
                reply: reply
            )
        )
    }

    private static func run(
        _ call: Call,
        _ handler: Method.Handler
    ) async -> (QueuedCall.Outcome, RPCError?) {
        defer { call.progress?.end() }
        do {
            let result = try await handler(call)
            return (.replied(call.id.map { Reply.result(result, id: $0.bytes) }), nil)
        } catch {
            if error == .requestCancelled { return (.unchanged, error) }
            return (.replied(call.id.map { Reply.error(error, id: $0.bytes) }), error)
        }
    }
}

/// Records which groups of calls (``Method/latencyGroup``) are fast. A group is fast if its last call
/// was.
///
/// Fast calls run on the thread that reads the input, because waking another thread takes about a
/// tenth of ``fastLimit``. The first call of a group, and every call after a slow one, runs
/// elsewhere.
final class LatencyTracker: Sendable {
    /// Calls that take less than this, including waiting time, are fast.
    static let fastLimit = Duration.microseconds(200)

    private let fastGroups = Mutex<Set<String>>([])

    func isFast(_ group: String) -> Bool { fastGroups.withLock { $0.contains(group) } }

    /// Records that a call in `group` took `duration`.
    func record(_ group: String, _ duration: Duration) {
        fastGroups.withLock { groups in
            if duration >= Self.fastLimit {
                groups.remove(group)
            } else {
                groups.insert(group)
            }
        }
    }
}

/// The state machine of a ``Session``, as LSP 3.17 defines it ("Lifecycle Messages").
enum SessionState {
    /// Requests are accepted. `watchedProcess` is the first process that an `initialize` named.
    case serving(watchedProcess: Int32?)
    /// `shutdown` was received, after which only `exit` is accepted.
    case shutDown

    var isShutDown: Bool { if case .shutDown = self { true } else { false } }

    /// The exit code of the process after `exit` was received.
    var exitCode: Int32 { isShutDown ? 0 : 1 }

    /// Records the process that an `initialize` named; true if it should be watched. Only one
    /// process is watched, because each watch needs a thread and a descriptor.
    mutating func initialize(processID: Int32) -> Bool {
        guard case .serving(watchedProcess: nil) = self, processID > 1 else { return false }
        self = .serving(watchedProcess: processID)
        return true
    }

    mutating func shutdown() { self = .shutDown }
}

/// Collects the replies to a batch and sends them in one message. Without replies it sends
/// nothing.
final class Batch: Sendable {
    private struct State {
        var pendingCount: Int
        var replies: [JSONFragment] = []
    }

    private let state: Mutex<State>
    private let send: @Sendable (JSONFragment) -> Void

    init(count: Int, send: @escaping @Sendable (JSONFragment) -> Void) {
        state = Mutex(State(pendingCount: count))
        self.send = send
    }

    /// Adds the reply to one message of the batch; nil if the message gets no reply.
    func add(_ reply: JSONFragment?) {
        let complete: [JSONFragment]? = state.withLock { state in
            state.pendingCount -= 1
            if let reply { state.replies.append(reply) }
            return state.pendingCount == 0 ? state.replies : nil
        }
        guard let complete, !complete.isEmpty else { return }
        send(
            JSONFragment { writer in
                writer.array { writer in
                    for reply in complete { writer.raw(reply) }
                }
            }
        )
    }
}
