import CCurl
import Glibc
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

    init() throws(HTTPClientError) {
        guard Self.isInitialized, let multi = curl_multi_init() else {
            throw HTTPClientError(.other, detail: "libcurl did not start")
        }
        self.multi = multi
        guard OSThread.start({ [self] in run() }) else {
            throw HTTPClientError(.other, detail: "the system has no thread to give")
        }
    }

    func submit(_ job: Job) {
        let isTaken = inbox.withLock { inbox in
            if inbox.isClosed { return false }
            inbox.jobs.append(job)
            curl_multi_wakeup(multi)
            return true
        }
        if !isTaken { job.completion(.failure(HTTPClientError(.closed))) }
    }

    func cancel(_ id: UInt64) {
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
        var transfers: [UInt64: Transfer] = [:]
        while true {
            let (jobs, cancelled, isClosed) = take()
            for job in jobs { start(job, &transfers) }
            for id in cancelled { finish(id, &transfers, .cancelled) }
            if isClosed { break }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            collect(&transfers)
            curl_multi_poll(multi, nil, 0, transfers.isEmpty ? Int32.max : 1_000, nil)
        }
        for id in Array(transfers.keys) { finish(id, &transfers, .closed) }
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

    private func start(_ job: Job, _ transfers: inout [UInt64: Transfer]) {
        guard let transfer = Transfer(job) else {
            job.completion(.failure(HTTPClientError(.other, detail: "out of memory")))
            return
        }
        transfers[job.id] = transfer
        curl_multi_add_handle(multi, transfer.easy)
    }

    private func finish(
        _ id: UInt64,
        _ transfers: inout [UInt64: Transfer],
        _ reason: HTTPClientError.Reason
    ) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        curl_multi_remove_handle(multi, transfer.easy)
        transfer.finish(because: reason)
    }

    private func collect(_ transfers: inout [UInt64: Transfer]) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            var code = CURLE_OK
            guard let easy = nb_curl_done(message, &code),
                let id = transfers.first(where: { $0.value.easy == easy })?.key,
                let transfer = transfers.removeValue(forKey: id)
            else { continue }
            curl_multi_remove_handle(multi, easy)
            transfer.finish(with: code)
        }
    }
}
