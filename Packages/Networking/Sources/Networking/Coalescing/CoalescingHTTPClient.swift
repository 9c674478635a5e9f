import Synchronization

/// A client in which equal GETs that are under way at once share one transfer.
///
/// Requests are equal if all their properties are, ``HTTPRequest/coalescing`` included: requests of
/// different generations never share a transfer. One with a body, or with `coalescing` set to
/// `never`, always has its own. A waiter that is cancelled leaves the others alone; when the last
/// leaves, the transfer is cancelled. It belongs around a ``RetryingHTTPClient``, not into it.
public final class CoalescingHTTPClient: HTTPClient {
    private typealias Answer = Result<HTTPResponse, HTTPClientError>

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
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                join(request, as: id, waiter)
                // A cancel that came before the waiter was there found nobody.
                if Task.isCancelled { leave(request, id) }
            }
        } onCancel: {
            leave(request, id)
        }
        return try answer.get()
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
            let answer: Answer
            do throws(HTTPClientError) {
                answer = .success(try await client.send(request))
            } catch {
                answer = .failure(error)
            }
            finish(request, id, answer)
        }
        return Flight(id: id, task: task)
    }

    private func finish(_ request: HTTPRequest, _ id: UInt64, _ answer: Answer) {
        let flight = state.withLock { state in
            // Another may have taken the place of one that everybody left.
            state.flights[request]?.id == id ? state.flights.removeValue(forKey: request) : nil
        }
        for waiter in (flight?.waiters ?? [:]).values { waiter.resume(returning: answer) }
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
