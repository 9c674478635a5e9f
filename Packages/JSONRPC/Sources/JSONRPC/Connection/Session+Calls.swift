import JSON
import Synchronization

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
