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
