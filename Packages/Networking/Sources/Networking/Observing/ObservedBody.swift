import Synchronization

/// The body of a stream whose end is reported to an observer.
final class ObservedBody: StreamedBody {
    private let stream: HTTPResponseStream
    private let request: HTTPRequest
    private let start: ContinuousClock.Instant
    /// The observer; nil after the end has been reported.
    private let observer: Mutex<(any HTTPClientObserver)?>
    private let receivedBytes = Atomic(0)

    init(
        of stream: HTTPResponseStream,
        _ request: HTTPRequest,
        since start: ContinuousClock.Instant,
        _ observer: any HTTPClientObserver
    ) {
        (self.stream, self.request, self.start) = (stream, request, start)
        self.observer = Mutex(observer)
    }

    var metrics: HTTPMetrics? { stream.metrics }

    nonisolated(nonsending) func next() async throws(HTTPClientError) -> [UInt8]? {
        do {
            let chunk = try await stream.body.next()
            receivedBytes.add(chunk?.count ?? 0, ordering: .relaxed)
            if chunk == nil { report(nil) }
            return chunk
        } catch {
            report(error)
            throw error
        }
    }

    func cancel() {
        stream.body.cancel()
        report(HTTPClientError(.cancelled, mayHaveBeenSent: true))
    }

    /// Reports the end, unless it has been reported.
    private func report(_ error: HTTPClientError?) {
        guard let observer = observer.withLock({ $0.take() }) else { return }
        var head = stream.head
        head.metrics = stream.metrics ?? head.metrics
        observer.reportAttempt(
            request,
            since: start,
            error.map { .failure($0) } ?? .success(head),
            receivedBytes: receivedBytes.load(ordering: .relaxed)
        )
    }
}
