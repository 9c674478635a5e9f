import NovaBlendCurl

/// What a transfer has streamed so far.
struct StreamedPart {
    /// Whether the job's caller has received the head of the response.
    var isHeadDelivered = false
    /// The size of the decompressed body so far.
    var byteCount = 0
}

/// Bodies in chunks. libcurl is paused while a reader or sender is not ready.
extension Transfer {
    /// Sets the options for sending a streamed body. Without a length, HTTP/1.1 sends the body in
    /// chunks (RFC 9112, section 7.1).
    func setUpUpload(length: Int?) {
        nb_curl_set_long(easy, CURLOPT_UPLOAD, 1)
        nb_curl_set_off_t(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(length ?? -1))
        nb_curl_set_pointer(easy, CURLOPT_READDATA, context)
        nb_curl_set_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return Transfer.of(context)?.readUpload(into: buffer) ?? Int(CURL_READFUNC_ABORT)
        }
    }

    /// Sets the options for receiving a streamed body. If the server was asked not to compress the
    /// body, nothing is decoded, so what libcurl reads at once cannot become larger. Then libcurl
    /// may read as much as the stream's buffer holds.
    func setUpStream(of request: HTTPRequest) {
        guard request.asksForUnencodedBody else { return }
        nb_curl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        nb_curl_set_long(easy, CURLOPT_BUFFERSIZE, ResponseBuffer.capacity)
    }

    /// Pauses and resumes each direction as its buffer requires. Returns an error if the transfer
    /// must end.
    ///
    /// libcurl buffers what it decompressed after a pause, and delivers it during the call that
    /// resumes. If a callback then fails, libcurl does not end the transfer, so the caller must.
    func updatePauses() -> HTTPClientError? {
        let isStarved = job?.upload?.isStarved == true
        // While the sender prepares its next chunk, the server has nothing to respond to.
        if job?.upload != nil { setStallTimeout(isEnforced: !isStarved) }
        let code = nb_curl_easy_pause(easy, job?.response?.isFull == true, isStarved)
        // `CURLE_BAD_FUNCTION_ARGUMENT` means that the transfer has no connection, so nothing is
        // paused.
        return code == CURLE_OK || code == CURLE_BAD_FUNCTION_ARGUMENT ? nil : error(of: code)
    }

    /// Delivers the complete head of the final response.
    func deliverHead() {
        let response = response
        // An interim response, or that of a proxy to CONNECT, comes before the final one.
        guard response.status >= 200 else { return }
        streamed.isHeadDelivered = true
        job?.continuation.resume(returning: .success(response))
    }

    /// Passes decompressed bytes to the reader; false stops the transfer.
    func streamBody(_ bytes: UnsafeRawBufferPointer, to buffer: ResponseBuffer) -> Bool {
        let limit = job?.request.maximumResponseBytes ?? configuration.limits.maximumBodyBytes
        guard streamed.byteCount + bytes.count <= limit else {
            rejection = .bodyTooLarge(limit: limit)
            return false
        }
        streamed.byteCount += bytes.count
        buffer.append(bytes)
        return !buffer.isFull || updatePauses() == nil
    }

    /// Copies the next bytes of the request's body. Returns their number, or an instruction to
    /// libcurl.
    private func readUpload(into bytes: UnsafeMutableRawBufferPointer) -> Int {
        switch job?.upload?.read(into: bytes) {
        case .bytes(let count): return count
        case .end: return 0
        case .wait:
            setStallTimeout(isEnforced: false)
            return Int(CURL_READFUNC_PAUSE)
        case .failed, nil:
            rejection = .uploadFailed
            return Int(CURL_READFUNC_ABORT)
        }
    }
}
