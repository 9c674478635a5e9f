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
