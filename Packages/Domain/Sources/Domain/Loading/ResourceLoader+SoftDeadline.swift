import Synchronization

extension ResourceLoader {
    /// Loads from the server, or returns the fresh cached value once `deadline` has passed; then the
    /// request continues, and its answer is cached.
    ///
    /// Cancelling the caller cancels the request, unless the cached value was returned before.
    func loadFromServer(within deadline: SoftDeadline) async throws(LoadError) -> Loaded<Value> {
        let first = FirstOutcome<Result<Loaded<Value>, LoadError>>()
        // Both tasks inherit the caller's task-local values, such as that of a dry run.
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
                "the server has not answered for \(deadline.text); this is the cached version, and "
                + "the request continues"
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

/// The first of several outcomes, for one task that waits for it.
private final class FirstOutcome<Outcome: Sendable>: Sendable {
    private enum State {
        case undecided
        case awaited(CheckedContinuation<Outcome, Never>)
        case decided(Outcome)
    }

    private let state = Mutex(State.undecided)

    /// Decides; later calls have no effect.
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

    /// The outcome, once it is decided. Only one task may wait.
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
