import Synchronization

extension ResourceLoader {
    /// Loads from the server. If the load takes longer than `deadline` and a fresh value is cached,
    /// returns that value; the request continues, and its response is cached.
    ///
    /// Cancelling the calling task cancels the request, unless the cached value has been returned.
    func loadFromServer(within deadline: SoftDeadline) async throws(LoadError) -> Loaded<Value> {
        let first = FirstOutcome<Result<Loaded<Value>, LoadError>>()
        // Both tasks inherit the caller's task-local values, which include the dry-run flag.
        let request = Task {
            do throws(LoadError) {
                first.decide(.success(try await loadFromServer()))
            } catch {
                first.decide(.failure(error))
            }
        }
        let timer = Task {
            guard (try? await deadline.pauses.pause(for: deadline.duration)) != nil,
                var cached = freshFromCache()
            else { return }
            cached.provenance.warning =
                "the server did not respond within \(deadline.text); this is the cached version, "
                + "and the request continues"
            first.decide(.success(cached))
        }
        let outcome = await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            request.cancel()
        }
        timer.cancel()
        if Task.isCancelled { throw .server(.cancelled) }
        return try outcome.get()
    }
}

/// The first of several outcomes. One task can wait for it.
private final class FirstOutcome<Outcome: Sendable>: Sendable {
    private enum State {
        case undecided
        case awaited(CheckedContinuation<Outcome, Never>)
        case decided(Outcome)
    }

    private let state = Mutex(State.undecided)

    /// Sets the outcome. Only the first call has an effect.
    func decide(_ outcome: Outcome) {
        let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .decided: return nil
            case .undecided:
                state = .decided(outcome)
                return nil
            case .awaited(let waiter):
                state = .decided(outcome)
                return waiter
            }
        }
        waiter?.resume(returning: outcome)
    }

    /// Waits for the outcome. Only one task may wait.
    var value: Outcome {
        get async {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    if case .decided(let outcome) = state { return outcome }
                    state = .awaited(continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        }
    }
}
