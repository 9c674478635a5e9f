import JSON
import Synchronization

/// The requests of this side that have no answer yet.
final class OutgoingRequests: Sendable {
    typealias Answer = Result<JSONValue, RPCError>

    private struct State {
        var nextNumber = 1
        var waiting: [String: CheckedContinuation<Answer, Never>] = [:]
        var isClosed = false
    }

    private let idPrefix: String
    private let state = Mutex(State())

    /// The ids are `idPrefix` and a number, counted from 1.
    init(idPrefix: String) { self.idPrefix = idPrefix }

    /// Calls `send` with a new id and waits for the answer. If the task is cancelled while it
    /// waits, `onCancel` receives the id.
    func request(
        _ send: @Sendable (_ id: String) -> Void,
        onCancel: @escaping @Sendable (_ id: String) -> Void
    ) async -> Answer {
        let id = state.withLock { state in
            defer { state.nextNumber &+= 1 }
            return "\(idPrefix)\(state.nextNumber)"
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
            if resume(id, with: .failure(.requestCancelled)) { onCancel(id) }
        }
    }

    /// Delivers an answer. An answer to an unknown request is dropped.
    func receive(_ answer: Answer, for id: String) {
        _ = resume(id, with: answer)
    }

    /// Fails all requests without an answer, now and later.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: .failure(.noAnswer)) }
    }

    private func resume(_ id: String, with answer: Answer) -> Bool {
        let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
        continuation?.resume(returning: answer)
        return continuation != nil
    }
}
