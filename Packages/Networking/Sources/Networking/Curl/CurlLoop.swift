import Synchronization
import SystemSupport

/// Runs transfers on the multi interface of libcurl, without a queue between the sender and libcurl.
///
/// A request is sent by the thread that brings it, because waking another thread would cost more than
/// all that libcurl does. If a different thread is driving libcurl, the request is queued; that thread
/// empties the queue before it releases the multi handle. ``CurlLoopState`` decides which thread waits
/// for the response.
final class CurlLoop: Sendable {
    typealias State = CurlLoopState<CurlJob>

    private let configuration: CurlHTTPClient.Configuration
    let state = Mutex(State())
    /// Nil before the first transfer and after the client was closed. Holding this lock is what the
    /// comments call driving libcurl.
    let multi = Mutex<MultiHandle?>(nil)
    private let lastID = Atomic<UInt64>(0)

    init(_ configuration: CurlHTTPClient.Configuration) {
        self.configuration = configuration
    }

    /// Whether libcurl is in use: from the first transfer until the client is closed.
    var isRunning: Bool { multi.withLock { $0 != nil } }

    /// Runs a transfer; cancelling the task ends it.
    nonisolated(nonsending) func run(
        _ request: HTTPRequest,
        until deadline: ContinuousClock.Instant
    ) async throws(HTTPClientError) -> HTTPResponse {
        let timeout = ContinuousClock.now.duration(to: deadline)
        guard timeout > .zero else { throw HTTPClientError(.timedOut(.total)) }
        // After the submission a byte may leave before the cancellation arrives.
        if Task.isCancelled { throw HTTPClientError(.cancelled) }
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                submit(
                    CurlJob(id: id, request: request, timeout: timeout, continuation: continuation)
                )
                // An earlier cancellation found no job.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try result.get()
    }

    private func submit(_ job: CurlJob) {
        switch state.withLock({ $0.submit(job) }) {
        case .reject: job.complete(.failure(HTTPClientError(.closed)))
        case .leaveToLoopThread: break
        case .drive:
            if let descriptors = drainQueue(sender: job.id) { pollInline(job.id, descriptors) }
        }
    }

    private func cancel(_ id: UInt64) {
        state.withLock { $0.cancel(id) }
        drainQueue()
    }

    /// Ends all transfers, and the loop thread.
    func close() {
        state.withLock { $0.close() }
        drainQueue()
    }
}

/// Driving libcurl.
extension CurlLoop {
    /// Performs the queued work, unless another thread is driving libcurl: it looks into the queue
    /// after it has released the multi handle.
    ///
    /// Returns the descriptors if the calling thread must poll for the response to `sender`.
    @discardableResult
    private func drainQueue(sender: UInt64? = nil) -> PollDescriptors? {
        var descriptors: PollDescriptors?
        while state.withLock({ $0.hasWork }) {
            let isDone: Void? = multi.withLockIfAvailable { multi in
                if let work = state.withLock({ $0.takeWork() }) { perform(work, &multi) }
                if let assigned = assignPoller(multi, sender) { descriptors = assigned }
            }
            if isDone == nil { break }
        }
        return descriptors
    }

    private func perform(_ work: State.Work, _ multi: inout MultiHandle?) {
        if multi == nil, !work.isLast, !work.jobs.isEmpty { multi = start() }
        if let multi {
            multi.perform(work)
        } else {
            let error: HTTPClientError = work.isLast ? HTTPClientError(.closed) : Self.exhausted
            for job in work.jobs { job.complete(.failure(error)) }
        }
        if work.isLast, let last = multi.take() {
            last.transfers.finishAll(because: .closed)
            last.descriptors.wake()
        }
    }

    private static let exhausted = HTTPClientError(
        .other,
        detail: "the system cannot create a thread or descriptor"
    )

    private func start() -> MultiHandle? {
        guard let multi = MultiHandle(configuration) else { return nil }
        let descriptors = multi.descriptors
        return SystemThread.start { [self] in runThread(descriptors) } ? multi : nil
    }

    /// Makes sure that a thread waits for the transfers in flight. Returns the descriptors if that is
    /// the calling thread, whose request `sender` is.
    private func assignPoller(_ multi: MultiHandle?, _ sender: UInt64?) -> PollDescriptors? {
        guard let multi, !multi.transfers.isEmpty else { return nil }
        let sender = sender.flatMap { multi.transfers.contains($0) ? $0 : nil }
        switch state.withLock({ $0.assignPoller(sender: sender) }) {
        case .none: return nil
        case .pollInline: return multi.descriptors
        case .wakeLoopThread:
            multi.descriptors.wake()
            return nil
        }
    }
}

/// Waiting for the network.
extension CurlLoop {
    /// The loop thread: handles events and waits for the next ones.
    private func runThread(_ descriptors: PollDescriptors) {
        var events = PollEvents(capacity: 64)
        while true {
            let (target, timeout) = multi.withLock { multi in
                let timeout = multi?.handleBeforeWait(events) ?? -1
                return (prepareToWait(&multi), timeout)
            }
            // While this thread was driving libcurl, others left their work in the queue.
            drainQueue()
            switch target {
            case nil: return
            case .socketsAndWakeup: descriptors.wait(&events, milliseconds: timeout)
            case .wakeup: descriptors.waitForWakeup(&events, milliseconds: timeout)
            }
            state.withLock { $0.wakeUp() }
        }
    }

    /// Empties the queue for the last time before the loop thread waits; nil if it must exit.
    private func prepareToWait(_ multi: inout MultiHandle?) -> State.WaitTarget? {
        while true {
            let mayPark = multi?.transfers.prefersInlinePolling == true
            switch state.withLock({ $0.prepareToWait(mayPark: mayPark) }) {
            case .perform(let work): perform(work, &multi)
            case .wait(let target): return target
            case .exit: return nil
            }
        }
    }

    /// How long the sender of a request polls for a part of its response, and how often.
    private static let (inlineMicroseconds, inlineRounds) = (100, 8)

    /// Polls for the response to request `id` on the thread that sent it.
    ///
    /// This blocks a thread of the concurrency pool, so it must be short. It stops as soon as nothing
    /// arrives for 0.1 ms, and leaves the rest to the loop thread.
    private func pollInline(_ id: UInt64, _ descriptors: PollDescriptors) {
        var events = PollEvents(capacity: 16)
        var roundsLeft = Self.inlineRounds
        while true {
            roundsLeft -= 1
            // After a wakeup the loop thread takes over.
            let hasEvents = descriptors.waitInline(&events, microseconds: Self.inlineMicroseconds)
            let isOver = multi.withLock { multi in
                multi?.handle(events)
                if hasEvents, roundsLeft > 0, multi?.transfers.contains(id) == true {
                    return false
                }
                state.withLock { $0.stopInlinePolling(id) }
                _ = assignPoller(multi, nil)
                return true
            }
            drainQueue()
            if isOver { return }
        }
    }
}
