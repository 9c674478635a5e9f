import NovaBlendMicroHTTPD
import Synchronization

/// The response to one request, and the executor of the task that creates it.
///
/// The task runs only on the thread that serves the connection. When the task can continue, the
/// connection is resumed, and that thread runs it. So a handler needs no other thread.
final class PendingResponse: TaskExecutor {
    private enum State {
        /// The connection is not suspended, and its thread will run these jobs.
        case running([UnownedJob])
        /// The handler waits, and libmicrohttpd ignores the connection until it is resumed.
        case suspended
        case finished(ServerResponse)
        /// The connection was closed before there was a response.
        case abandoned
    }

    private let state = Mutex(State.running([]))
    private let task = Mutex<Task<Void, Never>?>(nil)
    // Never changes. It is used only while the connection is open: by its own thread, or while it
    // is suspended, when libmicrohttpd allows any thread to resume it.
    private nonisolated(unsafe) let connection: OpaquePointer

    init(for connection: OpaquePointer) { self.connection = connection }

    /// Runs the handler until it waits. Only the connection's thread may call this.
    func start(_ handler: @escaping HTTPServer.Handler, _ request: ServerRequest) {
        let handling = Task.immediate(executorPreference: self) {
            let response = await handler(request)
            state.withLock { state in
                if case .running = state { state = .finished(response) }
            }
        }
        task.withLock { $0 = handling }
    }

    /// Asks the handler to finish, because the client has disconnected or the server stops. Any
    /// thread may call this.
    func cancel() { task.withLock(\.self)?.cancel() }

    /// Continues the handler as far as possible and returns its response; nil if the handler waits.
    /// Only the connection's thread may call this.
    func advance() -> ServerResponse? {
        while true {
            let (jobs, response) = takeJobs()
            if response != nil || jobs.isEmpty { return response }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Suspends the connection until the handler can continue. Only the connection's thread may
    /// call this.
    func suspend() {
        MHD_suspend_connection(connection)
        let canContinue = state.withLock { state in
            if case .running(let jobs) = state, jobs.isEmpty {
                state = .suspended
                return false
            }
            return true
        }
        if canContinue { MHD_resume_connection(connection) }
    }

    /// Ends the wait with a response, unless the handler can already continue. Any thread may call
    /// this. The handler continues on other threads, and its response is ignored.
    func finish(_ response: ServerResponse) {
        let wasSuspended = state.withLock { state in
            guard case .suspended = state else { return false }
            state = .finished(response)
            return true
        }
        if wasSuspended { MHD_resume_connection(connection) }
    }

    private func takeJobs() -> ([UnownedJob], ServerResponse?) {
        state.withLock { state in
            switch state {
            case .running(let jobs):
                state = .running([])
                return (jobs, nil)
            case .finished(let response): return ([], response)
            case .suspended, .abandoned: return ([], nil)
            }
        }
    }

    /// Called by the concurrency runtime when the handler can continue.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        enum Action { case none, resume, runElsewhere }
        let action: Action = state.withLock { state in
            switch state {
            case .running(let jobs): state = .running(jobs + [job])
            case .suspended:
                state = .running([job])
                return .resume
            case .finished, .abandoned: return .runElsewhere
            }
            return .none
        }
        switch action {
        case .none: break
        case .resume: MHD_resume_connection(connection)
        case .runElsewhere: globalConcurrentExecutor.enqueue(job)
        }
    }

    /// Cancels the handler and lets it continue on other threads, because the connection was closed.
    func abandon() {
        let jobs = state.withLock { state in
            defer { state = .abandoned }
            if case .running(let jobs) = state { return jobs }
            return []
        }
        for job in jobs { globalConcurrentExecutor.enqueue(job) }
        cancel()
    }
}
