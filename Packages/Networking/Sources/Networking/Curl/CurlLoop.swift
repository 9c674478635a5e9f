import Synchronization
import SystemSupport

/// Runs transfers on libcurl's multi interface.
///
/// The thread that calls ``run(_:id:until:response:upload:)`` usually sends the request itself, because waking another
/// thread would take longer than sending. If another thread is driving the multi handle, the
/// request is queued; that thread drains the queue after it releases the multi handle.
/// ``CurlLoopState`` decides which thread waits for the response.
final class CurlLoop: Sendable {
    typealias State = CurlLoopState<CurlJob>

    private let configuration: CurlHTTPClient.Configuration
    private let library: String
    let state = Mutex(State())
    /// The multi handle; nil before the first transfer and after the client is closed. The thread
    /// that holds this lock drives the multi handle.
    let multi = Mutex<MultiHandle?>(nil)
    /// Whether a thread drives the multi handle and will check the queue afterwards. Trying to take
    /// the lock of `multi` instead would cost two system calls: one now, and one when the other
    /// thread unlocks it. The lock of `state`, which contains the queue, orders what happens, so
    /// relaxed loads and stores suffice.
    private let isDriven = Atomic(false)
    private let lastID = Atomic<UInt64>(0)

    init(_ configuration: CurlHTTPClient.Configuration, library: String) {
        (self.configuration, self.library) = (configuration, library)
    }

    /// Whether libcurl is in use: from the first transfer until the client is closed.
    var isRunning: Bool { multi.withLock { $0 != nil } }

    /// An identifier for the next transfer.
    func makeID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Runs transfer `id`; cancelling the task ends it.
    ///
    /// With a response buffer, returns when the head of the response is complete, and the transfer
    /// goes on. Its body is passed to the buffer.
    nonisolated(nonsending) func run(
        _ request: HTTPRequest,
        id: UInt64,
        until deadline: ContinuousClock.Instant,
        response: ResponseBuffer? = nil,
        upload: UploadBuffer? = nil
    ) async throws(HTTPClientError) -> HTTPResponse {
        let timeout = ContinuousClock.now.duration(to: deadline)
        guard timeout > .zero else { throw HTTPClientError(.timedOut(.total)) }
        // Once the job is submitted, a byte may be sent before a cancellation takes effect.
        if Task.isCancelled { throw HTTPClientError(.cancelled) }
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let job = CurlJob(
                    id: id,
                    request: request,
                    timeout: timeout,
                    response: response,
                    upload: upload,
                    continuation: continuation
                )
                switch state.withLock({ $0.submit(job) }) {
                case .reject: continuation.resume(returning: .failure(HTTPClientError(.closed)))
                case .leaveToLoopThread: break
                case .drive:
                    if let descriptors = drainQueue(sender: id) { pollInline(id, descriptors) }
                }
                // If the task was cancelled before `submit`, `onCancel` found no job to cancel.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try result.get()
    }

    /// Ends a transfer; does nothing if it has ended.
    func cancel(_ id: UInt64) {
        state.withLock { $0.cancel(id) }
        drainQueue()
    }

    /// Continues a streamed transfer whose buffers have changed; does nothing if it has ended.
    func resume(_ id: UInt64) {
        state.withLock { $0.resume(id) }
        drainQueue()
    }

    /// Ends all transfers, and the loop thread.
    func close() {
        state.withLock { $0.close() }
        drainQueue()
    }
}

/// Driving the multi handle.
extension CurlLoop {
    /// Performs the queued work. If another thread is driving the multi handle, leaves the work to
    /// it: that thread checks the queue after it releases the multi handle.
    ///
    /// Returns the descriptors if the calling thread must poll for the response to `sender`.
    @discardableResult
    private func drainQueue(sender: UInt64? = nil) -> PollDescriptors? {
        var descriptors: PollDescriptors?
        while state.withLock({ $0.hasWork }), !isDriven.load(ordering: .relaxed) {
            let hadLock: Void? = multi.withLockIfAvailable { multi in
                isDriven.store(true, ordering: .relaxed)
                defer { isDriven.store(false, ordering: .relaxed) }
                if let work = state.withLock({ $0.takeWork() }) { perform(work, &multi) }
                guard let multi, !multi.transfers.isEmpty else { return }
                let sender = sender.flatMap { multi.transfers[$0] == nil ? nil : $0 }
                switch state.withLock({ $0.assignPoller(sender: sender) }) {
                case .none: break
                case .pollInline: descriptors = multi.descriptors
                case .wakeLoopThread: multi.descriptors.wake()
                }
            }
            if hadLock == nil { break }
        }
        return descriptors
    }

    /// Waits for the multi handle, and drives it in `body`. The caller must drain the queue
    /// afterwards.
    private func drive<Result>(
        _ body: (inout sending MultiHandle?) -> sending Result
    ) -> sending Result {
        multi.withLock { multi in
            isDriven.store(true, ordering: .relaxed)
            defer { isDriven.store(false, ordering: .relaxed) }
            return body(&multi)
        }
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
        try CurlLibrary.loadIfNeeded(library)
        guard let multi = MultiHandle(configuration) else {
            throw HTTPClientError(.other, detail: "the system could not create a descriptor")
        }
        let descriptors = multi.descriptors
        do {
            try SystemThread.start { [self] in runThread(descriptors) }
        } catch {
            throw HTTPClientError(.other, detail: "the system could not create a thread: \(error)")
        }
        return multi
    }
}

/// Waiting for the network.
extension CurlLoop {
    /// Runs on the loop thread: processes events and waits for the next ones.
    private func runThread(_ descriptors: PollDescriptors) {
        var events = PollEvents(capacity: 64)
        while true {
            let (target, timeout) = drive { multi -> (State.WaitTarget?, Int32) in
                let timeout = multi?.processBeforeWait(events) ?? -1
                while true {
                    let mayPark = multi?.prefersInlinePolling == true
                    switch state.withLock({ $0.prepareToWait(mayPark: mayPark) }) {
                    case .perform(let work): perform(work, &multi)
                    case .wait(let target): return (target, timeout)
                    case .exit: return (nil, timeout)
                    }
                }
            }
            // Other threads may have queued work while this thread was driving the multi handle.
            drainQueue()
            switch target {
            case nil: return
            case .socketsAndWakeup: descriptors.wait(&events, milliseconds: timeout)
            case .wakeup: descriptors.waitForWakeup(&events, milliseconds: timeout)
            }
            state.withLock { $0.wakeUp() }
        }
    }

    /// The maximum duration of one inline poll, and the maximum number of polls for one request.
    private static let (inlineMicroseconds, inlineRounds) = (100, 8)

    /// Polls for the response to request `id` on the thread that sent it.
    ///
    /// This blocks a thread of the concurrency pool, so it must be short. It stops when nothing
    /// arrives for 0.1 ms, and after eight polls; then the loop thread waits for the rest.
    private func pollInline(_ id: UInt64, _ descriptors: PollDescriptors) {
        var events = PollEvents(capacity: 16)
        var roundsLeft = Self.inlineRounds
        while true {
            roundsLeft -= 1
            // `waitInline` also returns false after a wakeup: then the loop thread takes over.
            let hasEvents = descriptors.waitInline(&events, microseconds: Self.inlineMicroseconds)
            let isOver = drive { multi in
                multi?.process(events)
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

/// Decides which thread waits for the network, and queues work for the thread that drives the multi
/// handle.
///
/// A client has one thread of its own, the loop thread. While transfers are in flight, it waits for
/// their sockets. If the server has been responding fast, the loop thread parks as soon as no
/// transfer is in flight. The sender of the next request then polls for its own response, so that
/// no other thread has to wake up.
///
/// Transitions return what the calling thread must do. They use no locks, sockets, or clocks.
struct CurlLoopState<Job: Sendable>: Sendable {
    /// Work for the thread that drives the multi handle.
    struct Work: Sendable {
        var jobs: [Job] = []
        /// Transfers whose reader or sender is ready again, after libcurl was paused.
        var resumedIDs: [UInt64] = []
        var cancelledIDs: [UInt64] = []
        /// Whether the client was closed, so that all transfers must end.
        var isLast = false

        var isEmpty: Bool {
            jobs.isEmpty && cancelledIDs.isEmpty && resumedIDs.isEmpty && !isLast
        }
    }

    private enum State {
        /// The loop thread has not waited yet. The first transfer starts it.
        case idle
        /// The loop thread runs. It drains the queue before it waits.
        case active
        /// The loop thread waits for sockets, or was woken to do so.
        case polling
        /// The loop thread waits only for a wakeup. No transfer was in flight when it parked.
        case parked
        /// The loop thread is parked, and the sender of this request polls for its response.
        case pollingInline(UInt64)
        /// The client was closed. The last work, which ends the transfers, is queued.
        case closing
        /// The transfers have ended. The loop thread exits.
        case closed
    }

    private var state = State.idle
    private var queue = Work()
    /// How many senders have polled for their own response. For tests.
    private(set) var inlinePollCount = 0

    /// Whether the queue contains work.
    var hasWork: Bool { !queue.isEmpty }

    enum SubmitAction: Equatable {
        /// Reject the job, because the client is closed.
        case reject
        /// Drive the multi handle, unless another thread is driving it: that thread will find the
        /// job.
        case drive
        /// Do nothing: the loop thread will find the job.
        case leaveToLoopThread
    }

    /// Queues a job.
    mutating func submit(_ job: Job) -> SubmitAction {
        switch state {
        case .closing, .closed: return .reject
        case .active:
            queue.jobs.append(job)
            return .leaveToLoopThread
        case .idle, .polling, .parked, .pollingInline:
            queue.jobs.append(job)
            return .drive
        }
    }

    /// Queues the cancellation of a job.
    mutating func cancel(_ id: UInt64) {
        switch state {
        case .closed: break
        default: queue.cancelledIDs.append(id)
        }
    }

    /// Queues the resumption of a streamed transfer that was paused.
    mutating func resume(_ id: UInt64) {
        switch state {
        case .closed: break
        default: queue.resumedIDs.append(id)
        }
    }

    /// Queues the end of all transfers.
    mutating func close() {
        switch state {
        case .closing, .closed: break
        default:
            state = .closing
            queue.isLast = true
        }
    }

    /// Takes all work out of the queue; nil if it is empty.
    mutating func takeWork() -> Work? {
        guard hasWork else { return nil }
        if queue.isLast { state = .closed }
        defer { queue = Work() }
        return queue
    }

    enum PollAction: Equatable {
        case none
        /// Wake the loop thread, so that it waits for sockets.
        case wakeLoopThread
        /// Poll for the response on this thread.
        case pollInline
    }

    /// Makes sure that a thread waits for the transfers in flight. `sender` is the calling thread's
    /// own request if it is in flight.
    mutating func assignPoller(sender: UInt64?) -> PollAction {
        guard case .parked = state else { return .none }
        guard let sender else {
            state = .polling
            return .wakeLoopThread
        }
        state = .pollingInline(sender)
        inlinePollCount += 1
        return .pollInline
    }

    /// Records that the sender of request `id` stopped polling. Returns true if the loop thread
    /// must be woken, because transfers are still in flight and no thread waits for them.
    mutating func stopInlinePolling(_ id: UInt64, hasTransfers: Bool) -> Bool {
        if case .pollingInline(id) = state { state = .parked }
        return hasTransfers && assignPoller(sender: nil) == .wakeLoopThread
    }

    /// Records that the loop thread stopped waiting.
    mutating func wakeUp() {
        switch state {
        case .closing, .closed: break
        default: state = .active
        }
    }

    enum WaitAction: Sendable {
        /// Perform this work, and then prepare again.
        case perform(Work)
        case wait(WaitTarget)
        case exit
    }

    /// What the loop thread waits for.
    enum WaitTarget {
        case socketsAndWakeup
        case wakeup
    }

    /// Decides what the loop thread does before it waits. `mayPark` is true if no transfer is in
    /// flight and the sender of the next request should poll for its own response.
    mutating func prepareToWait(mayPark: Bool) -> WaitAction {
        if let work = takeWork() { return .perform(work) }
        switch state {
        case .closing, .closed: return .exit
        default:
            state = mayPark ? .parked : .polling
            return .wait(mayPark ? .wakeup : .socketsAndWakeup)
        }
    }
}
