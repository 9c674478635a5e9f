import Glibc
import NovaBlendCurl
import SystemSupport

/// How far a transfer has come, according to libcurl's callbacks.
///
/// libcurl may make several attempts: it repeats a request if a pooled connection turns out to be
/// dead, and connects again to a proxy that closes the connection when it asks for a password.
struct TransferProgress {
    private enum Stage {
        case resolving
        /// Connecting to the origin or to a proxy, which includes TLS and the proxy's handshake.
        case connecting
        case requesting
    }

    private var stage = Stage.resolving
    /// Whether a connection was ready for the request: with the origin, after TLS and after the proxy's
    /// handshake, or with a proxy that forwards requests. From then on, bytes of the request may have
    /// been sent. What was sent before concerns only TLS or the proxy.
    private(set) var mayHaveSentRequest = false
    /// How many connections were made before the present attempt.
    private var earlierConnections = 0
    /// The last system error before the request was sent. libcurl never resets it.
    private var lastSystemError = 0
    /// Why the system could not create a socket; nil if it could.
    private(set) var socketFailure: SystemError?

    /// Whether the connection is ready for the request.
    var isRequesting: Bool { stage == .requesting }

    /// Records that libcurl opens a socket, after it has made `earlier` connections.
    mutating func beginConnecting(earlier: Int, _ failure: SystemError?) {
        // A host may have addresses of a family that this machine does not support.
        let isMinor = failure?.code == EAFNOSUPPORT
        (stage, earlierConnections) = (.connecting, earlier)
        socketFailure = isMinor ? nil : failure
    }

    /// Records that libcurl sends the request.
    mutating func beginRequest(lastSystemError: Int) {
        (stage, mayHaveSentRequest) = (.requesting, true)
        self.lastSystemError = lastSystemError
    }

    /// Whether the TCP connection of the present attempt was made. `connections` is how many libcurl
    /// has made until now.
    func isConnected(connections: Int) -> Bool {
        isRequesting || (stage == .connecting && connections > earlierConnections)
    }

    /// Whether the system has given up a connection because the link failed. A connection that is
    /// closed or reset is not that: a packet of the other side, or of something in between, has
    /// arrived.
    func isLinkLost(systemError: Int) -> Bool {
        let errors = [ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, ENETDOWN, ECONNABORTED]
        return isRequesting && systemError != lastSystemError
            && errors.contains { Int($0) == systemError }
    }
}

/// Converts libcurl's result codes to errors.
extension Transfer {
    /// The error for libcurl's result code, or for the callback that stopped the transfer.
    func error(of code: CURLcode) -> HTTPClientError {
        if let rejection {
            return HTTPClientError(
                rejection,
                mayHaveBeenSent: progress.mayHaveSentRequest,
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
            mayHaveBeenSent: progress.mayHaveSentRequest,
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
        case _ where text.hasPrefix(Self.invalidProxy):
            "the proxy's URL is not valid, or libcurl does not support its scheme"
        case _ where text.contains(Self.missingThread): "the system could not create a thread"
        case _ where progress.socketFailure != nil:
            "the system could not create a socket"
                + (progress.socketFailure.map { ": \($0)" } ?? "")
        case _ where Self.isCertificateAlert(text):
            "the server requires a client certificate, or rejected it: \(text)"
        case CURLE_SEND_ERROR where mayLackCertificate, CURLE_RECV_ERROR where mayLackCertificate,
            CURLE_GOT_NOTHING where mayLackCertificate:
            "\(text) (does the server require a client certificate?)"
        default: text
        }
    }

    /// The name of the TLS alert with which the server ended the connection; nil if OpenSSL reports
    /// none (RFC 8446, section 6.2).
    private static func alert(in text: String) -> Substring? {
        guard text.contains("SSL routines::") else { return nil }
        return text.firstRange(of: " alert ").map { text[$0.upperBound...] }
    }

    /// Whether the server rejected the client's certificate, or requires one.
    private static func isCertificateAlert(_ text: String) -> Bool {
        ["certificate", "unknown ca", "access denied"].contains {
            alert(in: text)?.contains($0) == true
        }
    }

    /// Whether the server may have reset the connection because it requires a client certificate: if
    /// the request arrives after the server has closed the socket, the reset discards the alert.
    private var mayLackCertificate: Bool {
        progress.isRequesting && scheme == "https" && !usesPooledConnection && head.isEmpty
            && configuration.clientCertificateFile == nil
    }

    private func reason(of code: CURLcode, _ text: String) -> HTTPClientError.Reason {
        switch code {
        // In TLS 1.3 a server rejects the client's certificate after the handshake.
        case CURLE_SEND_ERROR where Self.alert(in: text) != nil,
            CURLE_RECV_ERROR where Self.alert(in: text) != nil:
            .tls
        case CURLE_URL_MALFORMAT: .invalidURL
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CLIENTCERT, CURLE_SSL_ISSUER_ERROR:
            .tls
        case CURLE_OPERATION_TIMEDOUT: .timedOut(phase)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_PROXY, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            connectionFailure(code, text)
        // libcurl rejects a line longer than 100 KiB with this code.
        case CURLE_OUT_OF_MEMORY where progress.isRequesting && !head.isComplete:
            .headersTooLarge(limit: min(configuration.limits.maximumHeaderBytes, 100 << 10))
        // The scheme was checked before, so this is an HTTP/0.9 response.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            progress.isRequesting ? .malformedResponse : .proxyFailed(status: nil)
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            .undecodableBody(encoding: head.headers["Content-Encoding"] ?? "unknown")
        default: .other
        }
    }

    /// Why there is no connection. The facts decide, because libcurl's versions use different codes.
    private func connectionFailure(_ code: CURLcode, _ text: String) -> HTTPClientError.Reason {
        if Self.isLocal(text) || progress.socketFailure != nil { return .other }
        if progress.isRequesting {
            let isLinkLost = progress.isLinkLost(systemError: count(CURLINFO_OS_ERRNO))
            return isLinkLost ? .linkLost : .connectionLost
        }
        if let status = rejectedTunnelStatus { return .proxyFailed(status: status) }
        let isNameUnknown = count(CURLINFO_PROXY_ERROR) == Int(CURLPX_RESOLVE_HOST.rawValue)
        if isNameUnknown { return .couldNotResolve }
        if progress.isConnected(connections: count(CURLINFO_NUM_CONNECTS)) {
            return configuration.hasProxy(for: scheme) ? .proxyFailed(status: nil) : .connectionLost
        }
        let isUnresolved = [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY].contains(code)
        return isUnresolved ? .couldNotResolve : .couldNotConnect
    }

    /// Whether the cause is this machine or the configuration, so that nothing was tried.
    private static func isLocal(_ text: String) -> Bool {
        text.hasPrefix(invalidProxy) || text.contains(missingThread)
    }

    private static let invalidProxy = "Unsupported proxy"
    /// libcurl resolves names on a thread.
    private static let missingThread = "thread failed to start"

    private var scheme: String {
        url.map { $0.lowercased().hasPrefix("https:") ? "https" : "http" } ?? ""
    }

    /// The status with which a proxy rejected the tunnel; nil if none did.
    private var rejectedTunnelStatus: Int? {
        let status = count(CURLINFO_HTTP_CONNECTCODE)
        return status == 0 || (200..<300).contains(status) ? nil : status
    }

    /// What the transfer was waiting for when it timed out, even if a different timeout expired. So a
    /// caller can distinguish a server that cannot be reached from a slow one.
    private var phase: HTTPClientError.Phase {
        guard progress.isRequesting else {
            let isReached =
                rejectedTunnelStatus != nil
                || progress.isConnected(connections: count(CURLINFO_NUM_CONNECTS))
            return isReached ? .handshake : .connect
        }
        // libcurl counts milliseconds and may be slightly early.
        let earliest = curl_off_t((job?.timeout.milliseconds ?? 0) - 10) * 1_000
        return elapsed(CURLINFO_TOTAL_TIME_T) >= earliest ? .total : .stall
    }
}
