import JSON
import Synchronization

/// The requests that this server sent to the peer and that wait for a response.
final class OutgoingRequests: Sendable {
    typealias Response = Result<JSONValue, RPCError>

    private struct State {
        var nextNumber = 1
        var waiting: [String: CheckedContinuation<Response, Never>] = [:]
        var isClosed = false
    }

    private let idPrefix: String
    private let state = Mutex(State())

    /// The ids consist of `idPrefix` and a number, starting at 1.
    init(idPrefix: String) { self.idPrefix = idPrefix }

    /// Calls `send` with a new id and waits for the response. If the task is cancelled while it
    /// waits, calls `onCancel` with the id.
    func request(
        _ send: @Sendable (_ id: String) -> Void,
        onCancel: @escaping @Sendable (_ id: String) -> Void
    ) async -> Response {
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
                let error = Task.isCancelled ? RPCError.requestCancelled : .connectionEnded
                continuation.resume(returning: .failure(error))
            }
        } onCancel: {
            if resume(id, with: .failure(.requestCancelled)) { onCancel(id) }
        }
    }

    /// Delivers a response. If no request has the id, the response is dropped.
    func receive(_ response: Response, for id: String) {
        _ = resume(id, with: response)
    }

    /// Fails all waiting and later requests.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: .failure(.connectionEnded)) }
    }

    private func resume(_ id: String, with response: Response) -> Bool {
        let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
        continuation?.resume(returning: response)
        return continuation != nil
    }
}
