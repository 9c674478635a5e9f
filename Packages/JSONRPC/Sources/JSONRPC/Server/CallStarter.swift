import JSON
import Synchronization

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
        let conventions = table.conventions
        let call = Call(
            params: try Params(params, for: method, ignoring: conventions.reservedParameters),
            givenParams: params,
            id: id.map { JSONFragment(trusted: $0.bytes) },
            peer: peer,
            progress: id == nil
                ? nil
                : ProgressReporter(
                    params,
                    conventions.progressFormats,
                    title: method.summary,
                    peer: peer
                ),
            queue: queue
        )
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
                    let start = ContinuousClock.now
                    let outcome = await Self.run(call, handler)
                    latencies.record(group, ContinuousClock.now - start)
                    return outcome
                },
                reply: reply
            )
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

/// Remembers which groups of calls are fast, by how long the last call of each took.
///
/// A fast call runs on the thread that reads the input: waking another thread would take about a
/// tenth of ``fastLimit``. A slow call never runs there twice in a row, and never the first time.
final class LatencyTracker: Sendable {
    /// A call that takes less, including its waiting, is fast.
    static let fastLimit = Duration.microseconds(200)

    private let fastGroups = Mutex<Set<String>>([])

    func isFast(_ group: String) -> Bool { fastGroups.withLock { $0.contains(group) } }

    /// Records how long a call of the group took.
    func record(_ group: String, _ duration: Duration) {
        fastGroups.withLock { groups in
            if duration >= Self.fastLimit {
                groups.remove(group)
            } else if !groups.contains(group) {
                groups.insert(group)
            }
        }
    }
}
