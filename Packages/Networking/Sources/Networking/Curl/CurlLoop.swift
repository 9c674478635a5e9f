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
    private let library: String
    let state = Mutex(State())
    /// Nil before the first transfer and after the client was closed. Holding this lock is what the
    /// comments call driving libcurl.
    let multi = Mutex<MultiHandle?>(nil)
    private let lastID = Atomic<UInt64>(0)

    init(_ configuration: CurlHTTPClient.Configuration, library: String) {
        (self.configuration, self.library) = (configuration, library)
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
                let job = CurlJob(
                    id: id,
                    request: request,
                    timeout: timeout,
                    continuation: continuation
                )
                switch state.withLock({ $0.submit(job) }) {
                case .reject: continuation.resume(returning: .failure(HTTPClientError(.closed)))
                case .leaveToLoopThread: break
                case .drive:
                    if let descriptors = drainQueue(sender: id) { pollInline(id, descriptors) }
                }
                // An earlier cancellation found no job.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try result.get()
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
                guard let multi, !multi.transfers.isEmpty else { return }
                let sender = sender.flatMap { multi.transfers[$0] == nil ? nil : $0 }
                switch state.withLock({ $0.assignPoller(sender: sender) }) {
                case .none: break
                case .pollInline: descriptors = multi.descriptors
                case .wakeLoopThread: multi.descriptors.wake()
                }
            }
            if isDone == nil { break }
        }
        return descriptors
    }

    private func perform(_ work: State.Work, _ multi: inout MultiHandle?) {
        do throws(HTTPClientError) {
            if multi == nil, !work.jobs.isEmpty {
                guard !work.isLast else { throw HTTPClientError(.closed) }
                multi = try start()
            }
            multi?.perform(work)
        } catch {
            for job in work.jobs { job.continuation.resume(returning: .failure(error)) }
        }
        if work.isLast, let last = multi.take() {
            last.finishAll(because: .closed)
            last.descriptors.wake()
        }
    }

    /// Loads libcurl and starts the loop thread.
    private func start() throws(HTTPClientError) -> MultiHandle {
        try CurlLibrary.bind(library)
        if let multi = MultiHandle(configuration) {
            let descriptors = multi.descriptors
            if SystemThread.start({ [self] in runThread(descriptors) }) { return multi }
        }
        throw HTTPClientError(.other, detail: "the system cannot create a thread or descriptor")
    }
}

/// Waiting for the network.
extension CurlLoop {
    /// The loop thread: handles events and waits for the next ones.
    private func runThread(_ descriptors: PollDescriptors) {
        var events = PollEvents(capacity: 64)
        while true {
            let (target, timeout) = multi.withLock { multi -> (State.WaitTarget?, Int32) in
                let timeout = multi?.handleBeforeWait(events) ?? -1
                while true {
                    let mayPark = multi?.prefersInlinePolling == true
                    switch state.withLock({ $0.prepareToWait(mayPark: mayPark) }) {
                    case .perform(let work): perform(work, &multi)
                    case .wait(let target): return (target, timeout)
                    case .exit: return (nil, timeout)
                    }
                }
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
                if hasEvents, roundsLeft > 0, multi?.transfers[id] != nil { return false }
                let hasTransfers = multi?.transfers.isEmpty == false
                if state.withLock({ $0.stopInlinePolling(id, hasTransfers: hasTransfers) }) {
                    multi?.descriptors.wake()
                }
                return true
            }
            drainQueue()
            if isOver { return }
        }
    }
}

/// A request whose caller waits for the response.
///
/// A class, because the queue, the transfer table, and a transfer hold it in turn.
final class CurlJob: Sendable {
    typealias Continuation = UnsafeContinuation<Result<HTTPResponse, HTTPClientError>, Never>

    let id: UInt64
    let request: HTTPRequest
    let timeout: Duration
    /// Resumed exactly once: a job is either in the queue or in the transfer table, and the code that
    /// removes it resumes the continuation.
    let continuation: Continuation

    init(id: UInt64, request: HTTPRequest, timeout: Duration, continuation: Continuation) {
        (self.id, self.request, self.timeout) = (id, request, timeout)
        self.continuation = continuation
    }
}
