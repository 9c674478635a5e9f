import Synchronization

/// A client in which equal concurrent GET requests share one transfer.
///
/// Requests are equal if all their properties are, ``HTTPRequest/coalescing`` included: requests of
/// different generations never share a transfer. One with a body, or with `coalescing` set to
/// `never`, always has its own. Cancelling one waiter does not affect the others; when the last one is
/// cancelled, so is the transfer. Put this client around a ``RetryingHTTPClient``, not inside it.
public final class CoalescingHTTPClient: HTTPClient {
    private typealias Outcome = Result<HTTPResponse, HTTPClientError>

    private struct State {
        var flights: [HTTPRequest: Flight] = [:]
        var lastID: UInt64 = 0

        mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }
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
        let id = state.withLock { $0.nextID() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                join(request, as: id, waiter)
                // An earlier cancellation found no waiter.
                if Task.isCancelled { leave(request, id) }
            }
        } onCancel: {
            leave(request, id)
        }
        return try outcome.get()
    }

    private func join(_ request: HTTPRequest, as id: UInt64, _ waiter: Flight.Waiter) {
        state.withLock { state in
            var flight = state.flights[request] ?? start(request, id)
            flight.waiters[id] = waiter
            state.flights[request] = flight
        }
    }

    private func start(_ request: HTTPRequest, _ id: UInt64) -> Flight {
        let task = Task {
            let outcome: Outcome
            do throws(HTTPClientError) {
                outcome = .success(try await client.send(request))
            } catch {
                outcome = .failure(error)
            }
            finish(request, id, outcome)
        }
        return Flight(id: id, task: task)
    }

    private func finish(_ request: HTTPRequest, _ id: UInt64, _ outcome: Outcome) {
        let flight = state.withLock { state in
            // A later flight may have replaced one that all waiters left.
            state.flights[request]?.id == id ? state.flights.removeValue(forKey: request) : nil
        }
        for waiter in (flight?.waiters ?? [:]).values { waiter.resume(returning: outcome) }
    }

    private func leave(_ request: HTTPRequest, _ id: UInt64) {
        let (waiter, abandoned) = state.withLock { state -> (Flight.Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flights[request]?.waiters.removeValue(forKey: id) else {
                return (nil, nil)
            }
            guard state.flights[request]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.flights.removeValue(forKey: request)?.task)
        }
        abandoned?.cancel()
        waiter?.resume(
            returning: .failure(HTTPClientError(.cancelled, mayHaveBeenSent: true))
        )
    }
}
