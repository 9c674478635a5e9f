import JSON
import Synchronization

/// The requests that this side has asked, until they are answered.
final class OutgoingRequests: Sendable {
    typealias Answer = Result<JSONValue, RPCError>

    private struct State {
        var next = 1
        var waiting: [String: CheckedContinuation<Answer, Never>] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Sends the request that `message` makes of its id, and gives the answer. A cancelled task
    /// stops waiting; `abandon` then learns the id.
    func ask(
        _ send: @Sendable (_ id: String) -> Void,
        abandon: @escaping @Sendable (_ id: String) -> Void
    ) async -> Answer {
        let id = state.withLock { state in
            defer { state.next &+= 1 }
            return "novablend-\(state.next)"
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if state.isClosed || Task.isCancelled { return false }
                    state.waiting[id] = continuation
                    return true
                }
                if isOpen { return send(id) }
                let error = Task.isCancelled ? RPCError.requestCancelled : .noAnswer
                continuation.resume(returning: .failure(error))
            }
        } onCancel: {
            if settle(id, .failure(.requestCancelled)) { abandon(id) }
        }
    }

    /// Takes an answer that arrived; one that nobody waits for is dropped.
    func answer(_ id: String, _ answer: Answer) {
        _ = settle(id, answer)
    }

    /// Fails what waits and what will ask: no answer can come any more.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: .failure(.noAnswer)) }
    }

    private func settle(_ id: String, _ answer: Answer) -> Bool {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
        waiting?.resume(returning: answer)
        return waiting != nil
    }
}
