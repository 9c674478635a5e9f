import CCurl
import Synchronization

/// The one thread that owns every libcurl handle.
///
/// Others only leave commands and wake it; `curl_multi_wakeup` is the one call of libcurl that is
/// allowed from any thread.
final class CurlLoop: Sendable {
    struct Job: Sendable {
        let id: UInt64
        let request: HTTPRequest
        let configuration: CurlHTTPClient.Configuration
        let completion: @Sendable (Result<HTTPResponse, HTTPClientError>) -> Void
    }

    private struct State {
        var multi: UnsafeMutableRawPointer?
        var jobs: [Job] = []
        var cancelled: [UInt64] = []
        var isClosed = false

        /// Wakes the loop, if there is one.
        func wake() { if let multi { nb_curl_multi_wakeup(multi) } }
    }

    private let maximumKeptConnections: Int
    private let state = Mutex(State())
    private let lastID = Atomic<UInt64>(0)

    init(maximumKeptConnections: Int) {
        self.maximumKeptConnections = min(max(maximumKeptConnections, 1), Int(Int32.max))
    }

    /// Whether the thread and its descriptors are there: not before the first transfer.
    var isRunning: Bool { state.withLock { $0.multi != nil } }

    /// Runs a transfer; cancelling the task ends it.
    func run(
        _ request: HTTPRequest,
        _ configuration: CurlHTTPClient.Configuration
    ) async throws(HTTPClientError) -> HTTPResponse {
        // Once submitted, a byte may leave before the cancel arrives.
        if Task.isCancelled { throw HTTPClientError(.cancelled) }
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                submit(
                    Job(
                        id: id,
                        request: request,
                        configuration: configuration,
                        completion: { continuation.resume(returning: $0) }
                    )
                )
                // A cancel that came before the job was there found nothing to end.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try result.get()
    }

    private func submit(_ job: Job) {
        let refusal = state.withLock { state -> HTTPClientError? in
            if state.isClosed { return HTTPClientError(.closed) }
            if let error = start(&state) { return error }
            state.jobs.append(job)
            state.wake()
            return nil
        }
        if let refusal { job.completion(.failure(refusal)) }
    }

    private func start(_ state: inout State) -> HTTPClientError? {
        guard state.multi == nil else { return nil }
        guard let multi = nb_curl_multi_init() else {
            return HTTPClientError(.other, detail: "libcurl did not start")
        }
        nb_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumKeptConnections)
        state.multi = multi
        nonisolated(unsafe) let owned = multi
        guard OSThread.start({ [self] in run(owned) }) else {
            state.multi = nil
            nb_curl_multi_cleanup(multi)
            return HTTPClientError(.other, detail: "the system has no thread to give")
        }
        return nil
    }

    private func cancel(_ id: UInt64) {
        state.withLock { state in
            guard state.multi != nil else { return }
            state.cancelled.append(id)
            state.wake()
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.wake()
        }
    }

    private func run(_ multi: UnsafeMutableRawPointer) {
        let table = TransferTable(multi)
        while true {
            let (jobs, cancelled, isClosed) = take()
            for job in jobs { table.start(job) }
            for id in cancelled { table.finish(id, because: .cancelled) }
            if isClosed { break }
            table.perform()
        }
        table.finishAll(because: .closed)
        state.withLock { state in
            state.multi = nil
            nb_curl_multi_cleanup(multi)
        }
    }

    private func take() -> ([Job], [UInt64], Bool) {
        state.withLock { state in
            defer { (state.jobs, state.cancelled) = ([], []) }
            return (state.jobs, state.cancelled, state.isClosed)
        }
    }
}
