public import JSON
import Synchronization

/// The other side of a connection. Calls its methods and sends it notifications.
///
/// A client gets the peer from its ``Connection``, and the handler of a call gets it from its
/// ``Call``.
///
/// Sending never waits. What the peer has not read is stored without a limit, so a program that
/// sends a lot of data should send calls, and wait for their results.
public final class Peer: Sendable {
    private let idPrefix: String
    private let cancellation: CancellationNotification?
    private let observer: (any CallObserver)?
    private let send: @Sendable (JSONFragment) -> Void
    private let pending = Mutex(PendingCalls())

    /// Creates a peer. The id of a call is a number, after `idPrefix` if that is not empty.
    /// `cancellation` is the notification that cancels a call, unless the caller names a different
    /// one.
    init(
        idPrefix: String = "",
        cancellation: CancellationNotification? = nil,
        observer: (any CallObserver)? = nil,
        send: @escaping @Sendable (JSONFragment) -> Void
    ) {
        self.observer = observer
        self.idPrefix = idPrefix
        self.cancellation = cancellation
        self.send = send
    }

    /// Sends a notification. After the end of the connection, does nothing.
    ///
    /// - Parameters:
    ///   - method: The name of the notification.
    ///   - params: An object or an array; nil to omit them.
    public func notify(_ method: String, _ params: JSONFragment? = nil) {
        send(JSONFragment { write(method, params, id: nil, to: &$0) })
    }

    /// Calls a method and waits for the result.
    ///
    /// If the task is cancelled or the time is up, the call fails immediately, and the peer is
    /// notified so that it can stop. A response that arrives later is ignored.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: An object or an array; nil to omit them.
    ///   - timeout: The time to wait for the response; nil to wait without a limit.
    ///   - cancellation: The notification that cancels the call; nil for that of the first
    ///     ``ProtocolExtension`` of the connection's methods.
    /// - Returns: The result.
    /// - Throws: The error that the peer returned, ``RPCError/requestCancelled``,
    ///   ``RPCError/timedOut``, or ``RPCError/connectionEnded``.
    public func call(
        _ method: String,
        _ params: JSONFragment? = nil,
        timeout: Duration? = nil,
        cancellation: CancellationNotification? = nil
    ) async throws(RPCError) -> JSONValue {
        let ids = pending.withLock { $0.makeIDs(1) }
        let message = JSONFragment { write(method, params, id: ids.lowerBound, to: &$0) }
        let responses = await observing([method]) {
            await exchange(message, ids, timeout, cancellation)
        }
        guard let response = responses.first else { throw .connectionEnded }
        return try response.get()
    }

    /// Sends several calls and notifications in one message, and waits for all results (JSON-RPC
    /// 2.0, section 6). An empty batch sends nothing.
    ///
    /// - Parameters:
    ///   - messages: The calls and notifications. The peer may run them in any order.
    ///   - timeout: The time to wait for the responses; nil to wait without a limit.
    ///   - cancellation: See ``call(_:_:timeout:cancellation:)``.
    /// - Returns: One result or error per call, in the order of the calls in `messages`.
    public func batch(
        _ messages: [OutgoingMessage],
        timeout: Duration? = nil,
        cancellation: CancellationNotification? = nil
    ) async -> [Result<JSONValue, RPCError>] {
        if messages.isEmpty { return [] }
        let ids = pending.withLock { $0.makeIDs(messages.count(where: \.isCall)) }
        var nextID = ids.lowerBound
        let message = JSONFragment { writer in
            writer.array { writer in
                for message in messages {
                    switch message {
                    case .call(let method, let params):
                        write(method, params, id: nextID, to: &writer)
                        nextID += 1
                    case .notification(let method, let params):
                        write(method, params, id: nil, to: &writer)
                    }
                }
            }
        }
        if ids.isEmpty {
            send(message)
            return []
        }
        return await observing(messages.compactMap(\.calledMethod)) {
            await exchange(message, ids, timeout, cancellation)
        }
    }
}

extension Peer {
    /// A peer without a connection: every call fails.
    static var disconnected: Peer {
        let peer = Peer { _ in }
        peer.end()
        return peer
    }

    /// Delivers a response. If no call with that id waits, the response is ignored.
    func receive(_ response: Result<JSONValue, RPCError>, for id: JSONValue) {
        guard let number = number(of: id) else { return }
        pending.withLock { $0.receive(response, for: number) }?.finish()
    }

    /// Fails all waiting and later calls.
    func end() {
        for group in pending.withLock({ $0.end() }) { group.finish() }
    }

    /// Reports the calls of `methods` when `exchange` has returned their responses.
    private func observing(
        _ methods: @autoclosure () -> [String],
        _ exchange: () async -> [Result<JSONValue, RPCError>]
    ) async -> [Result<JSONValue, RPCError>] {
        guard let observer else { return await exchange() }
        let start = ContinuousClock.now
        let responses = await exchange()
        let duration = ContinuousClock.now - start
        for (method, response) in zip(methods(), responses) {
            let error: RPCError? = if case .failure(let error) = response { error } else { nil }
            observer.didCall(CompletedCall(method: method, duration: duration, error: error))
        }
        return responses
    }

    /// Sends the message that contains the calls `ids`, and waits for their responses.
    private func exchange(
        _ message: JSONFragment,
        _ ids: Range<Int>,
        _ timeout: Duration?,
        _ cancellation: CancellationNotification?
    ) async -> [Result<JSONValue, RPCError>] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let error = pending.withLock { pending -> RPCError? in
                    if Task.isCancelled { return .requestCancelled }
                    if pending.hasEnded { return .connectionEnded }
                    let timer = timeout.map { timeout in
                        Task { [self] in
                            guard (try? await Task.sleep(for: timeout)) != nil else { return }
                            fail(ids, .timedOut, cancellation)
                        }
                    }
                    pending.add(ids, { waiter.resume(returning: $0) }, timer: timer)
                    // Send inside the lock, so that a cancellation is sent after its call.
                    send(message)
                    return nil
                }
                guard let error else { return }
                waiter.resume(returning: ids.map { _ in .failure(error) })
            }
        } onCancel: {
            fail(ids, .requestCancelled, cancellation)
        }
    }

    /// Fails the calls of `ids` that wait, and notifies the peer.
    private func fail(
        _ ids: Range<Int>,
        _ error: RPCError,
        _ cancellation: CancellationNotification?
    ) {
        let (failed, group) = pending.withLock { $0.fail(ids, error) }
        group?.finish()
        guard let cancellation = cancellation ?? self.cancellation else { return }
        for id in failed {
            let params = JSONFragment.object {
                $0.member(named: cancellation.idMember, encodedID(id))
            }
            notify(cancellation.method, params)
        }
    }

    private func write(
        _ method: String,
        _ params: JSONFragment?,
        id: Int?,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("jsonrpc", "2.0")
            if let id { writer.member("id", encodedID(id)) }
            writer.member("method", method)
            writer.member("params", params)
        }
    }

    private func encodedID(_ number: Int) -> JSONFragment {
        if idPrefix.isEmpty { return JSONFragment { $0.integer(number) } }
        return JSONFragment { $0.string("\(idPrefix)\(number)") }
    }

    /// The number in an id of this peer; nil for other ids.
    private func number(of id: JSONValue) -> Int? {
        if idPrefix.isEmpty { return try? id.integer() }
        guard let text = try? id.string(), text.hasPrefix(idPrefix) else { return nil }
        return Int(text.dropFirst(idPrefix.count))
    }
}

/// The state machine of a ``Peer``: the calls that wait for responses.
struct PendingCalls {
    typealias Response = Result<JSONValue, RPCError>
    /// Resumes the task that waits for the responses of a message.
    typealias Waiter = @Sendable ([Response]) -> Void

    /// The calls of one message. Call ``finish()`` outside the lock when all have a response.
    struct Group {
        fileprivate let waiter: Waiter
        /// Ends the wait for the responses; nil if there is no timeout.
        fileprivate let timer: Task<Void, Never>?
        fileprivate var responses: [Response?]

        func finish() {
            timer?.cancel()
            waiter(responses.compactMap(\.self))
        }
    }

    private var nextID = 1
    /// The groups, by the id of their first call. The ids of a group are consecutive.
    private var groups: [Int: Group] = [:]
    /// The ids of the calls without a response, and the first id of their group.
    private var firstIDs: [Int: Int] = [:]
    private(set) var hasEnded = false

    mutating func makeIDs(_ count: Int) -> Range<Int> {
        defer { nextID += count }
        return nextID..<nextID + count
    }

    mutating func add(
        _ ids: Range<Int>,
        _ waiter: @escaping Waiter,
        timer: Task<Void, Never>?
    ) {
        let responses = [Response?](repeating: nil, count: ids.count)
        groups[ids.lowerBound] = Group(waiter: waiter, timer: timer, responses: responses)
        for id in ids { firstIDs[id] = ids.lowerBound }
    }

    /// Records a response. Returns the group of its call if this was the last response of the
    /// group. If no call with that id waits, does nothing.
    mutating func receive(_ response: Response, for id: Int) -> Group? {
        guard let first = firstIDs.removeValue(forKey: id) else { return nil }
        groups[first]?.responses[id - first] = response
        guard groups[first]?.responses.contains(where: { $0 == nil }) == false else { return nil }
        return groups.removeValue(forKey: first)
    }

    /// Fails the calls of `ids` that wait. Returns their ids, and their group.
    mutating func fail(_ ids: Range<Int>, _ error: RPCError) -> (ids: [Int], Group?) {
        let failed = ids.filter { firstIDs[$0] != nil }
        var complete: Group?
        for id in failed { complete = receive(.failure(error), for: id) }
        return (failed, complete)
    }

    /// Fails all waiting calls, and returns their groups.
    mutating func end() -> [Group] {
        hasEnded = true
        return firstIDs.keys.sorted().compactMap { receive(.failure(.connectionEnded), for: $0) }
    }
}

/// One message of a batch (``Peer/batch(_:timeout:cancellation:)``).
public enum OutgoingMessage: Sendable, Hashable {
    /// A call of a method. The params must be an object or an array.
    case call(String, JSONFragment? = nil)
    /// A notification. The params must be an object or an array.
    case notification(String, JSONFragment? = nil)

    var isCall: Bool { calledMethod != nil }

    /// The method of a call; nil for a notification.
    var calledMethod: String? { if case .call(let method, _) = self { method } else { nil } }
}
