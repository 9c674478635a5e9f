extension ResourceLoader {
    /// Loads from the server. If the load takes longer than `deadline` and a fresh value is cached,
    /// returns that value; the request continues, and its response is cached.
    ///
    /// Cancelling the calling task cancels the request, unless the cached value has been returned.
    func loadFromServer(within deadline: SoftDeadline) async throws(Failure) -> Loaded<Value> {
        // Contains the first outcome.
        let (outcomes, outcome) = AsyncStream.makeStream(
            of: Result<Loaded<Value>, Failure>.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        let request = Task {
            do throws(Failure) {
                outcome.yield(.success(try await loadFromServer()))
            } catch {
                outcome.yield(.failure(error))
            }
        }
        let timer = Task {
            guard (try? await deadline.pauses.pause(for: deadline.duration)) != nil,
                var cached = freshFromCache()
            else { return }
            cached.provenance.warning =
                "the server did not respond within \(deadline.text); this is the cached version, "
                + "and the request continues"
            outcome.yield(.success(cached))
        }
        let first = await withTaskCancellationHandler {
            await outcomes.first { _ in true }
        } onCancel: {
            request.cancel()
        }
        timer.cancel()
        guard let first, !Task.isCancelled else { throw .cancelled }
        return try first.get()
    }
}

/// The time after which a load returns a fresh cached value if the server has not responded.
public struct SoftDeadline: Sendable {
    /// The maximum wait. Zero or a negative duration means no deadline.
    public var duration: Duration
    let pauses: any Pausing

    /// Creates a deadline that waits with `pauses`.
    public init(_ duration: Duration, pauses: any Pausing) {
        self.duration = duration
        self.pauses = pauses
    }

    /// The duration as text, in seconds if it is a whole number of them, otherwise in milliseconds.
    var text: String {
        let milliseconds = Int64(duration / .milliseconds(1))
        return milliseconds.isMultiple(of: 1_000)
            ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }
}
