import JSON

/// Makes calls from requests and notifications, and submits them to the queue.
struct CallStarter: Sendable {
    let table: MethodTable
    let peer: Peer
    let queue: CallQueue
    private let latencies = LatencyTracker()

    init(table: MethodTable, peer: Peer, queue: CallQueue) {
        self.table = table
        self.peer = peer
        self.queue = queue
    }

    /// Starts a call of `method`. The id is nil for a notification; `size` is that of the message in
    /// bytes. Throws what the method or the queue rejects.
    func start(
        _ method: Method,
        _ params: JSONValue?,
        id: RequestID?,
        size: Int,
        reply: @escaping QueuedCall.ReplyHandler
    ) throws(RPCError) {
        let call = try makeCall(of: method, params, id)
        let effect = method.effect(of: call)
        let group = method.latencyGroup?(call) ?? method.name
        // The data of a call matters only next to changes, and finding it takes longer than many
        // calls do.
        let needsAccess = effect != .reads || queue.hasChanges
        try queue.submit(
            QueuedCall(
                id: id,
                bytes: QueuedCall.estimatedMemory(ofMessage: size),
                effect: effect,
                access: needsAccess ? method.data(of: call) : DataAccess.none,
                isFast: effect == .reads && latencies.isFast(group),
                work: { [latencies, handler = method.handler] in
                    await latencies.measure(group) { await Self.run(call, handler) }
                },
                reply: reply
            )
        )
    }

    private func makeCall(
        of method: Method,
        _ params: JSONValue?,
        _ id: RequestID?
    ) throws(RPCError) -> Call {
        let formats = table.conventions.progressFormats
        return Call(
            params: try table.params(params, for: method),
            givenParams: params,
            id: id.map { JSONFragment(trusted: $0.bytes) },
            peer: peer,
            progress: id == nil
                ? nil : ProgressReporter(params, formats, title: method.summary, peer: peer),
            queue: queue
        )
    }

    private static func run(
        _ call: Call,
        _ handler: Method.Handler
    ) async -> QueuedCall.Outcome {
        defer { call.progress?.end() }
        do throws(RPCError) {
            let result = try await handler(call)
            return .replied(call.id.map { Reply.result(result, id: $0.bytes) })
        } catch {
            if error == .requestCancelled { return .unchanged }
            return .replied(call.id.map { Reply.error(error, id: $0.bytes) })
        }
    }
}
