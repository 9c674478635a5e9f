import CCurl

/// The transfers under way. The loop's thread alone has it.
final class TransferTable {
    private let multi: UnsafeMutableRawPointer
    private let kept = KeptConnections()
    private var transfers: [UInt64: Transfer] = [:]

    init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

    func start(_ job: CurlLoop.Job) {
        guard let transfer = Transfer(job, kept),
            nb_curl_multi_add(multi, transfer.easy) == CURLM_OK
        else {
            job.completion(.failure(HTTPClientError(.other, detail: "libcurl took no transfer")))
            return
        }
        transfers[job.id] = transfer
    }

    func finish(_ id: UInt64, because reason: HTTPClientError.Reason) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        nb_curl_multi_remove(multi, transfer.easy)
        transfer.finish(because: reason)
    }

    func finishAll(because reason: HTTPClientError.Reason) {
        for id in Array(transfers.keys) { finish(id, because: reason) }
    }

    /// Does what can be done now, and waits until more can be, or the loop is woken.
    func perform() {
        nb_curl_multi_perform(multi)
        collect()
        nb_curl_multi_poll(multi, transfers.isEmpty ? Int32.max : 1_000)
    }

    private func collect() {
        while let message = nb_curl_multi_info_read(multi) {
            var code = CURLE_OK
            guard let transfer = Transfer.of(nb_curl_done(message, &code)) else { continue }
            kept.note(after: transfer.easy)
            nb_curl_multi_remove(multi, transfer.easy)
            transfer.finish(with: code)
            transfers[transfer.job.id] = nil
        }
    }
}
