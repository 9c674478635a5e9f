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
                let cached = valueAfter(deadline)
            else { return }
            first.decide(.success(cached))
        }
        let outcome = await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            request.cancel()
        }
        timer.cancel()
        if Task.isCancelled { throw .remote(.cancelled) }
        return try outcome.get()
    }

    private func valueAfter(_ deadline: SoftDeadline) -> Loaded<Value>? {
        var cached = freshFromCache()
        cached?.provenance.warning =
            "the server has not answered for \(deadline.text); this is the cached version, and the "
            + "request continues"
        return cached
    }
}
