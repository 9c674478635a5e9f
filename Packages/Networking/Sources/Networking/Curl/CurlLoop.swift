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

    private struct Inbox {
        var jobs: [Job] = []
        var cancelled: [UInt64] = []
        var isClosed = false
        var isFinished = false
    }

    private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    // Only the loop's thread uses it, but for curl_multi_wakeup, which is thread-safe; the inbox's
    // lock keeps a wake-up from meeting a handle that was cleaned up.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    private let inbox = Mutex(Inbox())
    private let lastID = Atomic<UInt64>(0)

    init(maximumKeptConnections: Int) throws(HTTPClientError) {
        guard Self.isInitialized, let multi = curl_multi_init() else {
            throw HTTPClientError(.other, detail: "libcurl did not start")
        }
        self.multi = multi
        let kept = min(max(maximumKeptConnections, 1), Int(Int32.max))
        nb_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, kept)
        guard OSThread.start({ [self] in run() }) else {
            curl_multi_cleanup(multi)
            throw HTTPClientError(.other, detail: "the system has no thread to give")
        }
    }

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
        let isTaken = inbox.withLock { inbox in
            if inbox.isClosed { return false }
            inbox.jobs.append(job)
            curl_multi_wakeup(multi)
            return true
        }
        if !isTaken { job.completion(.failure(HTTPClientError(.closed))) }
    }

    private func cancel(_ id: UInt64) {
        inbox.withLock { inbox in
            if inbox.isFinished { return }
            inbox.cancelled.append(id)
            curl_multi_wakeup(multi)
        }
    }

    func close() {
        inbox.withLock { inbox in
            inbox.isClosed = true
            if !inbox.isFinished { curl_multi_wakeup(multi) }
        }
    }

    private func run() {
        let table = TransferTable(multi)
        while true {
            let (jobs, cancelled, isClosed) = take()
            for job in jobs { table.start(job) }
            for id in cancelled { table.finish(id, because: .cancelled) }
            if isClosed { break }
            table.perform()
        }
        table.finishAll(because: .closed)
        inbox.withLock { inbox in
            inbox.isFinished = true
            curl_multi_cleanup(multi)
        }
    }

    private func take() -> ([Job], [UInt64], Bool) {
        inbox.withLock { inbox in
            defer { (inbox.jobs, inbox.cancelled) = ([], []) }
            return (inbox.jobs, inbox.cancelled, inbox.isClosed)
        }
    }
}
