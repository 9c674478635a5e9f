import NovaBlendCurl

/// Converts libcurl's result codes to errors.
extension Transfer {
    /// Whether a byte of the request may have been sent.
    var hasStarted: Bool {
        if isConnected { return true }
        var (sent, proxyStatus) = (0, 0)
        nb_curl_get_long(easy, CURLINFO_REQUEST_SIZE, &sent)
        nb_curl_get_long(easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
        // A proxy that rejects the tunnel has received only the request for it.
        return sent > 0 && proxyStatus < 300
    }

    /// The error for libcurl's result code, or for the callback that stopped the transfer.
    func error(of code: CURLcode) -> HTTPClientError {
        if let rejection {
            return HTTPClientError(
                rejection,
                mayHaveBeenSent: hasStarted,
                detail: job?.upload?.failure ?? ""
            )
        }
        if destination.isRejected {
            return HTTPClientError(.destinationNotAllowed, detail: "it is not a public address")
        }
        let message = errorText[0] == 0 ? nb_curl_easy_strerror(code) : UnsafePointer(errorText)
        let text = message.map { String(cString: $0) } ?? ""
        return HTTPClientError(
            reason(of: code, text),
            mayHaveBeenSent: hasStarted,
            detail: detail(of: code, text)
        )
    }

    /// libcurl's message, or a clearer one.
    private func detail(of code: CURLcode, _ text: String) -> String {
        switch code {
        case CURLE_SSL_CERTPROBLEM:
            "\(text) (certificate and key must be readable PEM files that match each other, and the"
                + " key must not be encrypted)"
        // libcurl's message for this code is about a disk. A callback that stops a transfer sets
        // `rejection`, which takes precedence.
        case CURLE_WRITE_ERROR:
            "data follows the compressed body; gzip with several members is not supported"
        // libcurl's message contains the proxy's URL with its password.
        case _ where text.hasPrefix("Unsupported proxy"):
            "the proxy's URL is not valid, or libcurl does not support its scheme"
        default:
            Self.isCertificateAlert(text)
                ? "the server requires a client certificate, or rejected it: \(text)" : text
        }
    }

    /// Whether OpenSSL reports that the server rejected the client's certificate, or requires one
    /// (RFC 8446, section 6.2).
    private static func isCertificateAlert(_ text: String) -> Bool {
        guard text.contains("SSL routines::"), let alert = text.firstRange(of: " alert ") else {
            return false
        }
        return ["certificate", "unknown ca", "access denied"].contains {
            text[alert.upperBound...].contains($0)
        }
    }

    private func reason(of code: CURLcode, _ text: String) -> HTTPClientError.Reason {
        switch code {
        // In TLS 1.3 a server rejects the client's certificate after the handshake.
        case CURLE_SEND_ERROR where Self.isCertificateAlert(text),
            CURLE_RECV_ERROR where Self.isCertificateAlert(text):
            .tls
        case CURLE_URL_MALFORMAT: .invalidURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .couldNotResolve
        case CURLE_COULDNT_CONNECT, CURLE_PROXY: .couldNotConnect
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            .tls
        case CURLE_OPERATION_TIMEDOUT: .timedOut(phase)
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            // If there was no connection, the proxy failed.
            isConnected ? .connectionLost : .couldNotConnect
        // libcurl rejects a line longer than 100 KiB with this code.
        case CURLE_OUT_OF_MEMORY where isConnected && !head.isComplete:
            .headersTooLarge(limit: min(configuration.limits.maximumHeaderBytes, 100 << 10))
        // The scheme was checked before, so this is an HTTP/0.9 response.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .malformedResponse
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            .undecodableBody(encoding: head.headers["Content-Encoding"] ?? "unknown")
        default: .other
        }
    }

    /// What the transfer was waiting for when it timed out: `connect` as long as there is no
    /// connection, even if a different timeout expired. So a caller can distinguish a server that
    /// cannot be reached from a slow one.
    private var phase: HTTPClientError.Phase {
        guard isConnected else { return .connect }
        // libcurl counts milliseconds and may be slightly early.
        let earliest = curl_off_t((job?.timeout.milliseconds ?? 0) - 10) * 1_000
        return elapsed(CURLINFO_TOTAL_TIME_T) >= earliest ? .total : .stall
    }

    private var isConnected: Bool { elapsed(CURLINFO_PRETRANSFER_TIME_T) > 0 }
}
