/// Why a request failed, or why its response cannot be used.
///
/// To show it, use ``description``. Foundation's `localizedDescription` does not contain the reason.
public struct HTTPClientError: Error, Sendable, Hashable {
    /// What the request was waiting for when it timed out.
    public enum Phase: String, Sendable, Hashable {
        /// A connection to the server or to a proxy: name resolution and TCP. Without a connection,
        /// this is the phase even if the timeout for the whole request expired.
        case connect
        /// TLS, or a proxy's connection to the server. The server or the proxy accepted the TCP
        /// connection.
        case handshake
        /// More data: none was sent or received for ``HTTPLimits/stallTimeout``.
        case stall
        /// The rest of the response: the timeout for the whole request expired.
        case total
    }

    /// The reasons for a failure.
    public enum Reason: Sendable, Hashable {
        /// The URL is not valid, neither http nor https, or contains a user name or password.
        case invalidURL
        /// A header is not valid: it contains control characters, its name is not a token, or it
        /// sets the length of the message (`Content-Length`, `Transfer-Encoding`). The details name
        /// it.
        case invalidHeader
        /// Name resolution found no address for the host, or for the proxy.
        case couldNotResolve
        /// No TCP connection to the server, or to the proxy, could be made.
        case couldNotConnect
        /// The proxy was reached, but did not connect to the server. `status` is its response to
        /// `CONNECT`; nil if there was none, or if it is a SOCKS proxy.
        case proxyFailed(status: Int?)
        /// TLS failed, for example because of the server's or the client's certificate, the host name, or
        /// the protocol version.
        case tls
        /// A timeout expired.
        case timedOut(Phase)
        /// The connection was closed or reset before the response was complete, by the server or by
        /// something in between.
        case connectionLost
        /// The system gave up the connection before the response was complete, because the link to
        /// the server failed. A link that fails usually shows as a timeout instead.
        case linkLost
        /// The decompressed body is larger than the limit, in bytes.
        case bodyTooLarge(limit: Int)
        /// The headers are larger than the limit, in bytes.
        case headersTooLarge(limit: Int)
        /// There were more redirects than the limit.
        case tooManyRedirects(limit: Int)
        /// A redirect led from https to http, to another scheme, or to a URL with a user name or
        /// password.
        case redirectRejected
        /// A redirect led to a different origin, although ``HTTPRequest/staysOnOrigin`` is true. The
        /// details name that origin.
        case redirectedElsewhere
        /// The response is not valid HTTP, or a downloaded file does not have the announced size.
        case malformedResponse
        /// The body could not be decompressed; `encoding` is its `Content-Encoding`.
        case undecodableBody(encoding: String)
        /// The request's streamed body failed, or its length differs from the announced one.
        case uploadFailed
        /// A file could not be read or written.
        case fileFailed
        /// The server responded with a different status than the caller needs. Only
        /// ``CurlHTTPClient/download(_:to:progress:)`` throws this; the other methods return a
        /// response of any status.
        case unexpectedStatus(Int)
        /// The request's ``HTTPRequest/allowedDestinations`` do not contain the server's address.
        case destinationNotAllowed
        /// A ``CircuitBreakingHTTPClient`` rejected the request, since the server failed
        /// repeatedly.
        case circuitOpen
        /// The task was cancelled.
        case cancelled
        /// The client was closed.
        case closed
        /// The request needs credentials, and they could not be obtained. For clients of your own that
        /// add credentials; no client of this library throws it.
        case noCredentials
        /// libcurl is not installed, or is older than 7.87.
        case libraryMissing
        /// Any other failure, which the details describe.
        case other
    }

    /// The kind of failure.
    public var reason: Reason
    /// Whether any byte of the request itself may have been sent to the server. False only if it is
    /// certain that none was. Bytes of TLS handshakes, and those that ask a proxy to connect to the
    /// server, are not part of the request. A proxy that forwards requests, with http, receives the
    /// request itself.
    public var mayHaveBeenSent: Bool
    /// Whether something was reached before this failure: the request was redirected, or an earlier
    /// attempt got a response or a connection.
    public var hadContact = false
    /// Details, such as the message of libcurl; may be empty.
    public var detail: String

    /// Creates an error.
    public init(_ reason: Reason, mayHaveBeenSent: Bool = false, detail: String = "") {
        self.reason = reason
        self.mayHaveBeenSent = mayHaveBeenSent
        self.detail = detail
    }
}

extension HTTPClientError {
    /// Whether neither the server nor a proxy could be reached: no address, no TCP connection, or a
    /// link that failed. If anything answered, a proxy included, or closed a connection, this is false.
    public var isMissingConnectivity: Bool {
        switch reason {
        case .couldNotResolve, .couldNotConnect, .timedOut(.connect), .linkLost: !hadContact
        default: false
        }
    }
}

extension HTTPClientError {
    /// The package of Debian without which requests fail with ``Reason/libraryMissing``.
    public static let libraryPackage = "libcurl4"
}

extension HTTPClientError: CustomStringConvertible {
    /// The reason, followed by the details.
    public var description: String {
        detail.isEmpty ? summary : "\(summary): \(detail)"
    }

    private var summary: String {
        switch reason {
        case .invalidURL: "the URL must be an absolute http or https URL"
        case .invalidHeader: "a request header is not valid"
        case .couldNotResolve: "the host could not be resolved"
        case .couldNotConnect: "no connection could be made"
        case .tls: "no secure connection could be made"
        case .proxyFailed(407?): "the proxy requires other credentials (status 407)"
        case .proxyFailed(let status?): "the proxy did not connect to the server (status \(status))"
        case .proxyFailed(nil): "the proxy did not connect to the server"
        case .timedOut(.connect): "no connection was made in time"
        case .timedOut(.handshake): "the connection was not ready in time"
        case .timedOut(.stall): "no data was sent or received in time"
        case .timedOut(.total): "the response did not arrive in time"
        case .connectionLost: "the connection was lost"
        case .linkLost: "the link to the server failed"
        case .bodyTooLarge(let limit): "the body is longer than \(limit) bytes"
        case .headersTooLarge(let limit): "the headers are longer than \(limit) bytes"
        case .tooManyRedirects(let limit): "there were more than \(limit) redirects"
        case .redirectRejected:
            "a redirect was rejected: to http from https, to another scheme, or to a URL with user info"
        case .redirectedElsewhere: "the request was redirected to a different origin"
        case .malformedResponse: "the response is malformed"
        case .undecodableBody(let encoding):
            "the body's content encoding (\(encoding)) could not be decoded"
        case .uploadFailed: "the request's body could not be produced"
        case .fileFailed: "a file could not be read or written"
        case .unexpectedStatus(let status): "the server responded with status \(status)"
        case .destinationNotAllowed: "a connection to this address is not allowed"
        case .circuitOpen: "the server failed repeatedly"
        case .cancelled: "cancelled"
        case .closed: "the client is closed"
        case .noCredentials: "no credentials are available"
        case .libraryMissing:
            "libcurl 7.87 or newer could not be loaded; on Debian, install the package "
                + Self.libraryPackage
        case .other: "the transfer failed"
        }
    }
}
