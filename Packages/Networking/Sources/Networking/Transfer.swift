import CCurl

/// One transfer: its handle, what arrived so far, and who waits for it. The loop's thread alone
/// has it.
final class Transfer {
    let easy: UnsafeMutableRawPointer
    private let job: CurlLoop.Job
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var headers = HTTPHeaders()
    private var headerBytes = 0
    private var body: [UInt8] = []
    private var refusal: HTTPClientError.Reason?
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init?(_ job: CurlLoop.Job) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.job = job
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setUpConnection()
        setUpRequest()
        setUpCallbacks()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
        errorText.deallocate()
    }

    private func setUpConnection() {
        let configuration = job.configuration
        let limits = configuration.limits
        nb_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        nb_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        nb_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, limits.connectMilliseconds)
        nb_curl_set_long(easy, CURLOPT_TIMEOUT_MS, limits.totalMilliseconds)
        nb_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        nb_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, limits.stallSeconds)
        nb_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        nb_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        nb_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        // An empty string, unlike none, keeps libcurl from asking the environment.
        nb_curl_set_string(easy, CURLOPT_PROXY, configuration.proxy ?? "")
        if let file = configuration.certificateFile {
            nb_curl_set_string(easy, CURLOPT_CAINFO, file)
        }
        // libcurl sends again when a kept connection turns out dead, also a POST: only on a fresh
        // connection is it certain that what may not be sent twice is sent once.
        let mayRepeat =
            job.request.method.isIdempotent
            || job.request.headers["Idempotency-Key"] != nil
        nb_curl_set_long(easy, CURLOPT_FRESH_CONNECT, mayRepeat ? 0 : 1)
    }

    private func setUpRequest() {
        let request = job.request
        nb_curl_set_string(easy, CURLOPT_URL, request.url)
        nb_curl_set_string(easy, CURLOPT_USERAGENT, job.configuration.userAgent)
        nb_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
        if let body = request.body {
            nb_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            body.withUnsafeBytes { bytes in
                let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                _ = nb_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, start)
            }
        }
        if request.method == .head {
            nb_curl_set_long(easy, CURLOPT_NOBODY, 1)
        } else {
            nb_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        // libcurl adds these by itself unless they are named: neither is wanted.
        append("Expect:")
        if request.headers["Content-Type"] == nil { append("Content-Type:") }
        for field in request.headers.fields {
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        nb_curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields)
    }

    private func append(_ line: String) {
        if let longer = curl_slist_append(fields, line) { fields = longer }
    }

    private func setUpCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        nb_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        nb_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        nb_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        nb_curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer.takeBody(buffer) ? buffer.count : 0
        }
        nb_curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer.takeHeader(buffer) ? buffer.count : 0
        }
    }

    /// Takes a piece of the body, decompressed; false ends the transfer.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let overall = job.configuration.limits.maximumBodyBytes
        let limit = min(job.request.maximumResponseBytes ?? overall, overall)
        guard body.count + bytes.count <= limit else {
            refusal = .bodyTooLarge(limit: limit)
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Takes one line of the headers; false ends the transfer.
    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        let limit = job.configuration.limits.maximumHeaderBytes
        guard headerBytes <= limit else {
            refusal = .headersTooLarge(limit: limit)
            return false
        }
        if bytes.starts(with: "HTTP/".utf8) {
            // An interim answer came before: its fields are not those of the answer.
            headers = HTTPHeaders()
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            headers.add(Self.text(bytes[..<colon]), Self.text(bytes[(colon + 1)...]))
        }
        return true
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let front = bytes.drop { $0 <= 0x20 }
        let end = front.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? front.startIndex
        return String(decoding: front[..<end], as: UTF8.self)
    }

    /// Ends it from outside.
    func finish(because reason: HTTPClientError.Reason) {
        job.completion(.failure(HTTPClientError(reason, mayHaveBeenSent: wasBegun)))
    }

    /// Ends it with libcurl's result.
    func finish(with code: CURLcode) {
        guard code == CURLE_OK else {
            let reason = refusal ?? reason(of: code)
            let detail = refusal == nil ? String(cString: errorText) : ""
            let error = HTTPClientError(reason, mayHaveBeenSent: wasBegun, detail: detail)
            job.completion(.failure(error))
            return
        }
        var status = 0
        nb_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        job.completion(
            .success(
                HTTPResponse(status: status, headers: headers, body: body, url: job.request.url)
            )
        )
    }
}

extension Transfer {
    /// Whether a byte of the request may have left: the connection was ready and libcurl had
    /// begun to send.
    private var wasBegun: Bool {
        var sent = 0
        nb_curl_get_long(easy, CURLINFO_REQUEST_SIZE, &sent)
        return sent > 0 || elapsed(CURLINFO_PRETRANSFER_TIME_T) > 0
    }

    private func elapsed(_ info: CURLINFO) -> curl_off_t {
        var microseconds: curl_off_t = 0
        nb_curl_get_offset(easy, info, &microseconds)
        return microseconds
    }

    private func reason(of code: CURLcode) -> HTTPClientError.Reason {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .couldNotResolve
        case CURLE_COULDNT_CONNECT: .couldNotConnect
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            .tls
        case CURLE_OPERATION_TIMEDOUT: .timedOut(phase)
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE:
            .connectionLost
        // The scheme was checked before: what is left is an answer of HTTP/0.9.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            .malformedResponse
        default: .other
        }
    }

    private var phase: HTTPClientError.Phase {
        if elapsed(CURLINFO_PRETRANSFER_TIME_T) == 0 { return .connect }
        let total = curl_off_t(job.configuration.limits.totalMilliseconds) * 1_000
        return elapsed(CURLINFO_TOTAL_TIME_T) >= total ? .total : .stall
    }
}
