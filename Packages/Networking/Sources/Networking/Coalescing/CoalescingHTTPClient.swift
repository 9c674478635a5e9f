import Synchronization

/// A client in which equal concurrent GET requests share one transfer.
///
/// Requests are equal if all their properties are equal, including ``HTTPRequest/coalescing``, so
/// requests of different generations never share a transfer. A request with a body, or with
/// `coalescing` set to `never`, always has its own. Cancelling one waiter does not affect the
/// others; cancelling the last one cancels the transfer. Wrap this client around a
/// ``RetryingHTTPClient``, not the other way around.
public final class CoalescingHTTPClient: HTTPClient {
    private typealias Outcome = Result<HTTPResponse, HTTPClientError>

    private typealias Waiter = CheckedContinuation<Outcome, Never>

    /// A transfer in flight, and the callers that wait for it.
    private struct SharedTransfer {
        let id: UInt64
        let task: Task<Void, Never>
        var waiters: [UInt64: Waiter] = [:]
    }

    private struct State {
        var transfers: [HTTPRequest: SharedTransfer] = [:]
        var lastID: UInt64 = 0
    }

    private let client: any HTTPClient
    private let state = Mutex(State())

    /// Wraps a client.
    public init(_ client: any HTTPClient) {
        self.client = client
    }

    /// See ``HTTPClient/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard request.method == .get, request.body == nil, request.coalescing != .never else {
            return try await client.send(request)
        }
        if Task.isCancelled { throw HTTPClientError(.cancelled) }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                join(request, as: id, waiter)
                // A cancellation before `join` found no waiter.
                if Task.isCancelled { leave(request, id) }
            }
        } onCancel: {
            leave(request, id)
        }
        return try outcome.get()
    }

    /// Adds a waiter to the transfer of an equal request, or starts a transfer.
    private func join(_ request: HTTPRequest, as id: UInt64, _ waiter: Waiter) {
        state.withLock { state in
            if state.transfers[request] == nil {
                let task = Task {
                    let outcome: Outcome
                    do throws(HTTPClientError) {
                        outcome = .success(try await client.send(request))
                    } catch {
                        outcome = .failure(error)
                    }
                    finish(request, id, outcome)
                }
                state.transfers[request] = SharedTransfer(id: id, task: task)
            }
            state.transfers[request]?.waiters[id] = waiter
        }
    }

    private func finish(_ request: HTTPRequest, _ id: UInt64, _ outcome: Outcome) {
        let transfer = state.withLock { state in
            // If all waiters left, a later transfer may have replaced this one.
            state.transfers[request]?.id == id ? state.transfers.removeValue(forKey: request) : nil
        }
        for waiter in (transfer?.waiters ?? [:]).values { waiter.resume(returning: outcome) }
    }

    private func leave(_ request: HTTPRequest, _ id: UInt64) {
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.transfers[request]?.waiters.removeValue(forKey: id) else {
                return (nil, nil)
            }
            guard state.transfers[request]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.transfers.removeValue(forKey: request)?.task)
        }
        abandoned?.cancel()
        waiter?.resume(
            returning: .failure(HTTPClientError(.cancelled, mayHaveBeenSent: true))
        )
    }
}
