import JSON
import Synchronization

/// One connection: takes messages in the order of arrival, starts their work, collects the answers.
///
/// `receive` runs on the reader's thread and never waits: what must keep the order of arrival
/// happens there, and what is quick; all else in tasks.
final class Session: Sendable {
    /// What a session tells the server around it.
    struct Events: Sendable {
        /// The peer said `exit`; the code that the process should end with.
        var onExit: @Sendable (Int32) -> Void
        /// The peer named the process that it is, or that it works for.
        var onProcessID: @Sendable (Int32) -> Void
    }

    let table: MethodTable
    let lifecycle: Lifecycle
    private let limits: RPCLimits
    let peer: Peer
    let queue: CallQueue
    let events: Events
    let pace = Pace()
    let isShutDown = Atomic(false)
    /// A process is watched: each costs a thread and a descriptor, so the first one counts.
    let isWatchingProcess = Atomic(false)

    init(
        table: MethodTable,
        info: ServerInfo,
        limits: RPCLimits,
        queue: CallQueue,
        send: @escaping @Sendable (JSONFragment) -> Void,
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

    /// Cancels what was accepted and answers it, except for calls that may have changed something:
    /// their handlers answer, until ``abandonAll()``.
    func cancelAll() {
        peer.outgoing.close()
        queue.cancelAll()
    }

    /// Answers the calls that did not end after ``cancelAll()``.
    func abandonAll() { queue.abandonAll() }

    private func receiveBatch(_ root: JSONValue, _ bytes: UnsafeRawBufferPointer) {
        guard let array = try? root.array(), array.count > 0 else {
            complain(.invalidRequest("a batch must not be empty"))
            return
        }
        let most = limits.maximumBatchCount
        guard array.count <= most else {
            complain(
                .invalidRequest("a batch may have \(most) messages at most, not \(array.count)")
            )
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
        reply: @escaping CallQueue.ReplyHandler
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
