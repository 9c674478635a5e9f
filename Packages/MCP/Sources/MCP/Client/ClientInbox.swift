import JSON
import JSONRPC
import Synchronization

/// Receives what a server sends: questions to the user, progress, and changes.
final class ClientInbox: Sendable {
    private struct Watcher {
        let topic: ChangeTopic
        let changes: AsyncStream<Void>.Continuation
    }

    /// A `subscriptions/listen` request that waits for its acknowledgment.
    private struct Listener {
        let watcher: Int
        let acknowledgment: CheckedContinuation<Result<JSONObject, RPCError>, Never>
    }

    private struct State {
        var nextNumber = 1
        var progress: [Int: @Sendable (CallProgress) -> Void] = [:]
        var watchers: [Int: Watcher] = [:]
        var listener: Listener?
        var hasEnded = false

        mutating func makeNumber() -> Int {
            defer { nextNumber += 1 }
            return nextNumber
        }
    }

    private let state = Mutex(State())
    private let elicit: MCPClient.Elicit?

    init(elicit: MCPClient.Elicit?) { self.elicit = elicit }

    var canElicit: Bool { elicit != nil }

    /// Creates a connection whose messages this inbox receives.
    func makeConnection(over transport: Transport) -> Connection {
        Connection(
            over: transport,
            table: MethodTable(methods, extensions: [.mcp]),
            framing: .lines
        )
    }

    /// Answers a question. `params` are those of `elicitation/create`.
    func answer(_ params: JSONValue?) async throws(RPCError) -> ObjectFragment {
        guard let elicit else { throw .methodNotFound(Elicitation.method) }
        return await elicit(try ElicitRequest(params: params)).encoded
    }

    /// Ends all streams of changes.
    func end() {
        let watchers = state.withLock { state in
            state.hasEnded = true
            defer { state.watchers = [:] }
            return state.watchers.values
        }
        for watcher in watchers { watcher.changes.finish() }
    }
}

/// The progress of calls.
extension ClientInbox {
    /// Returns the token of a new call.
    func addProgress(_ handler: @escaping @Sendable (CallProgress) -> Void) -> Int {
        state.withLock { state in
            let token = state.makeNumber()
            state.progress[token] = handler
            return token
        }
    }

    func removeProgress(_ token: Int) { state.withLock { $0.progress[token] = nil } }

    func receiveProgress(_ params: JSONObject) {
        guard let token = try? params["progressToken"]?.integer(),
            let step = try? CallProgress(params)
        else { return }
        state.withLock { $0.progress[token] }?(step)
    }
}

/// The changes of resources and lists.
extension ClientInbox {
    /// Returns the number of a new watcher. Its stream has at most one waiting element: several
    /// changes count as one.
    func watch(_ topic: ChangeTopic) -> (number: Int, changes: AsyncStream<Void>) {
        let (stream, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = state.withLock { state in
            let number = state.makeNumber()
            if !state.hasEnded {
                state.watchers[number] = Watcher(topic: topic, changes: continuation)
            }
            return number
        }
        if !isWatching(number) { continuation.finish() }
        return (number, stream)
    }

    /// Runs `handler` when the stream of a watcher ends. Does nothing if it has already ended.
    func onEnd(of number: Int, _ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.watchers[number] }?.changes.onTermination = { _ in handler() }
    }

    /// Ends the stream of a watcher.
    func stopWatching(_ number: Int) {
        state.withLock { $0.watchers.removeValue(forKey: number) }?.changes.finish()
    }

    func isWatching(_ number: Int) -> Bool { state.withLock { $0.watchers[number] != nil } }

    func isWatched(_ topic: ChangeTopic) -> Bool {
        state.withLock { $0.watchers.values.contains { $0.topic == topic } }
    }

    func receiveChange(of topic: ChangeTopic) {
        let watchers = state.withLock { $0.watchers.values.filter { $0.topic == topic } }
        for watcher in watchers { watcher.changes.yield() }
    }

    /// Waits for the acknowledgment of the request that `listen` sends for a watcher, or until the
    /// task is cancelled. `listen` must call ``resolveAcknowledgment(_:for:)`` when the request ends,
    /// also if it fails. Only one request may wait at a time, because acknowledgments contain ids
    /// that the client does not know.
    func acknowledgment(
        for watcher: Int,
        _ listen: () -> Void
    ) async throws(RPCError) -> JSONObject {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock {
                    $0.listener = Listener(watcher: watcher, acknowledgment: continuation)
                }
                if Task.isCancelled {
                    resolveAcknowledgment(.failure(.requestCancelled), for: watcher)
                } else {
                    listen()
                }
            }
        } onCancel: {
            resolveAcknowledgment(.failure(.requestCancelled), for: watcher)
        }
        return try result.get()
    }

    /// Ends the wait for an acknowledgment; `watcher` is nil if the acknowledgment has arrived.
    func resolveAcknowledgment(_ result: Result<JSONObject, RPCError>, for watcher: Int? = nil) {
        let listener = state.withLock { state -> Listener? in
            guard let listener = state.listener, watcher == nil || watcher == listener.watcher
            else { return nil }
            state.listener = nil
            return listener
        }
        listener?.acknowledgment.resume(returning: result)
    }
}
