import Synchronization

/// Where transfers are made: on the thread that asks, when nobody else is at libcurl, and on one
/// thread that waits for the network.
///
/// Waking that thread for each request cost more than all that libcurl does for it. So a request
/// is sent by the thread that brings it. It never waits for its turn: who is at libcurl looks into
/// the inbox before it leaves. ``lead(_:at:)`` is how it may also receive the answer.
final class CurlLoop: Sendable {
    /// By reference: it goes through three hands.
    final class Job: Sendable {
        let id: UInt64
        let request: HTTPRequest
        let timeout: Duration
        /// Resumed once: the job is in the inbox or in the table, and who takes it out resumes it.
        let waiter: UnsafeContinuation<Result<HTTPResponse, HTTPClientError>, Never>

        init(
            _ id: UInt64,
            _ request: HTTPRequest,
            timeout: Duration,
            _ waiter: UnsafeContinuation<Result<HTTPResponse, HTTPClientError>, Never>
        ) {
            (self.id, self.request, self.waiter) = (id, request, waiter)
            self.timeout = timeout
        }

        func complete(_ result: Result<HTTPResponse, HTTPClientError>) {
            waiter.resume(returning: result)
        }
    }

    struct Work: Sendable {
        var jobs: [Job] = []
        var cancelled: [UInt64] = []
    }

    struct Inbox {
        var work = Work()
        var isClosed = false
        var isFinished = false
        /// Whether the thread will look into the inbox before it waits.
        var isAwake = false
        /// Whether the thread waits for the bell alone, since there was no transfer.
        var isAside = false
        /// Whether somebody waits for the network in its place.
        var isLed = false
        /// How often that was so.
        var leadCount = 0
        /// How many may be waiting at the engine's descriptors; the last one gives it up.
        var waiters = 0

        var hasWork: Bool {
            !work.jobs.isEmpty || !work.cancelled.isEmpty || (isClosed && !isFinished)
        }
    }

    private let configuration: CurlHTTPClient.Configuration
    let inbox = Mutex(Inbox())
    let engine = Mutex<CurlEngine?>(nil)
    private let lastID = Atomic<UInt64>(0)

    init(_ configuration: CurlHTTPClient.Configuration) {
        self.configuration = configuration
    }

    /// Whether the thread and its descriptors are there: not before the first transfer.
    var isRunning: Bool { engine.withLock { $0 != nil } }

    /// Runs a transfer; cancelling the task ends it.
    nonisolated(nonsending) func run(
        _ request: HTTPRequest,
        until deadline: ContinuousClock.Instant
    ) async throws(HTTPClientError) -> HTTPResponse {
        let timeout = ContinuousClock.now.duration(to: deadline)
        guard timeout > .zero else { throw HTTPClientError(.timedOut(.total)) }
        // Once submitted, a byte may leave before the cancel arrives.
        if Task.isCancelled { throw HTTPClientError(.cancelled) }
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                submit(Job(id, request, timeout: timeout, waiter))
                // A cancel that came before the job was there found nothing to end.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try result.get()
    }

    private func submit(_ job: Job) {
        let (isTaken, isAwake) = inbox.withLock { inbox in
            if !inbox.isClosed { inbox.work.jobs.append(job) }
            return (!inbox.isClosed, inbox.isAwake)
        }
        guard isTaken else { return job.complete(.failure(HTTPClientError(.closed))) }
        // The thread would only get into this one's way.
        if !isAwake {
            if let place = serve(leading: job.id) { lead(job.id, at: place) }
        }
    }

    private func cancel(_ id: UInt64) {
        inbox.withLock { $0.work.cancelled.append(id) }
        serve()
    }

    /// Ends all transfers, and the thread.
    func close() {
        inbox.withLock { $0.isClosed = true }
        serve()
    }
}

extension CurlLoop {
    /// Empties the inbox, unless somebody else is at libcurl: they look again when they are done.
    ///
    /// Where nobody waits for what was begun, the thread is woken for it, or this thread is to
    /// ``lead(_:at:)``: when a transfer is named that is not answered yet.
    @discardableResult
    func serve(leading id: UInt64? = nil) -> Place? {
        var place: Place?
        while inbox.withLock({ $0.hasWork }) {
            let isDone: Void? = engine.withLockIfAvailable { engine in
                serve(&engine)
                if let taken = engine.flatMap({ appointWaiter(at: $0, id) }) { place = taken }
            }
            if isDone == nil { break }
        }
        return place
    }

    func serve(_ engine: inout CurlEngine?) {
        let (work, isClosed) = inbox.withLock { inbox in
            defer {
                inbox.work = Work()
                inbox.isFinished = inbox.isClosed
            }
            return (inbox.work, inbox.isClosed)
        }
        if engine == nil, !isClosed, !work.jobs.isEmpty { engine = start() }
        if let engine {
            engine.take(work)
            if isClosed {
                engine.finishAll()
                engine.watch.wake()
            }
        } else {
            let reason: HTTPClientError = isClosed ? HTTPClientError(.closed) : Self.refusal
            for job in work.jobs { job.complete(.failure(reason)) }
        }
    }

    private static let refusal = HTTPClientError(
        .other,
        detail: "the system has no thread or descriptor to give"
    )

    private func start() -> CurlEngine? {
        guard let engine = CurlEngine(configuration) else { return nil }
        let (poller, bell) = (engine.watch.poller, engine.watch.bell)
        inbox.withLock { $0.waiters += 1 }
        if OSThread.start({ [self] in wait(on: poller, bell) }) { return engine }
        inbox.withLock { $0.waiters -= 1 }
        return nil
    }
}
