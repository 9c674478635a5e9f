import NovaBlendMicroHTTPD

/// Receives requests from libmicrohttpd, checks them, and passes them to the handler.
final class RequestProcessor: Sendable {
    private let limits: ServerLimits
    let publicAddress: PublicAddress
    /// The host and port of requests without `Host`.
    private let authority: String
    let registry: ConnectionRegistry
    private let handler: HTTPServer.Handler

    init(
        limits: ServerLimits,
        publicAddress: PublicAddress,
        authority: String,
        registry: ConnectionRegistry,
        handler: @escaping HTTPServer.Handler
    ) {
        self.limits = limits
        self.publicAddress = publicAddress
        self.authority = authority
        self.registry = registry
        self.handler = handler
    }

    /// Called when the header is complete.
    func receiveHeader(
        _ exchange: Exchange,
        _ connection: OpaquePointer,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        do throws(Rejection) {
            let head = try Self.head(exchange, connection, method, version)
            let endpoint = try endpoint(of: head, connection)
            exchange.stage = .body(head, endpoint)
            if head.length == .known(0) { return .YES }
            exchange.isLast = head.length == .chunked
            register(.body, connection)
            if case .known(let length) = head.length, length > limits.maximumBodyBytes {
                let rejection = Rejection.tooLarge(limit: limits.maximumBodyBytes)
                return reject(rejection, head, exchange, connection)
            }
            try Self.checkMediaType(head)
            return .YES
        } catch {
            guard case .body(let head, _) = exchange.stage else {
                // It is not clear where the request ends.
                return send(error, connection)
            }
            return reject(error, head, exchange, connection)
        }
    }

    /// Called for each part of the body.
    func receiveBody(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) -> MHD_Result {
        exchange.received += bytes.count
        if exchange.received > Self.maximumIgnoredBytes { return .NO }
        guard case .body = exchange.stage else { return .YES }
        if exchange.received > limits.maximumBodyBytes {
            exchange.body = []
            exchange.stage = .ignoringBody(.tooLarge(limit: limits.maximumBodyBytes))
        } else {
            exchange.body.append(contentsOf: bytes)
        }
        return .YES
    }

    /// Called when the request is complete, and when the handler can continue.
    func advance(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
        switch exchange.stage {
        case .header: return .NO
        case .ignoringBody(let rejection): return send(rejection, connection)
        case .handling(let pending): return advance(pending, exchange, connection)
        case .body(let head, let endpoint):
            guard Self.isAllowed(head, from: endpoint.url) else {
                return send(.origin, connection)
            }
            // From here on, the input is not shut down.
            register(.handling(nil), connection)
            if let client = Client.stored(in: connection),
                registry.isInputClosed(client.descriptor)
            {
                return send(.late, connection)
            }
            let request = ServerRequest(
                method: head.method,
                path: endpoint.url.removingPrefix(from: head.target.path),
                query: head.target.query,
                headers: head.headers,
                body: exchange.body,
                baseURL: endpoint.text,
                peer: endpoint.peer
            )
            let pending = PendingResponse(for: connection)
            exchange.stage = .handling(pending)
            pending.start(handler, request)
            return advance(pending, exchange, connection)
        }
    }

    /// The largest rest of a body that is ignored, so that the client can read the response.
    private static let maximumIgnoredBytes = 1 << 20
}

// MARK: - Checks

extension RequestProcessor {
    private static func head(
        _ exchange: Exchange,
        _ connection: OpaquePointer,
        _ method: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>
    ) throws(Rejection) -> RequestHead {
        let received = ReceivedHeader(
            connection,
            method: method,
            target: (exchange.targetPosition, exchange.target.count),
            version: version
        )
        guard received.isExact else {
            throw .malformed("the header contains NUL, a folded line, or a line without CRLF")
        }
        guard received.isPlain else {
            throw .malformed("a header field contains an invalid character")
        }
        return try RequestHead(
            method: String(cString: method),
            target: exchange.target[...],
            version: String(cString: version),
            headers: received.fields
        )
    }

    private func endpoint(
        of head: RequestHead,
        _ connection: OpaquePointer
    ) throws(Rejection) -> Endpoint {
        guard let client = Client.stored(in: connection) else { throw .stopping }
        let host = head.host ?? authority
        if let previous = client.previous, previous.host == host, head.target.authority == nil {
            return previous.endpoint
        }
        try head.checkHost()
        guard let endpoint = publicAddress.endpoint(head.headers, client, host: host) else {
            throw .malformed("Host is not a host and port")
        }
        if !client.isTrusted { client.previous = (host, endpoint) }
        return endpoint
    }

    /// A body without `Content-Type` is taken for JSON.
    private static func checkMediaType(_ head: RequestHead) throws(Rejection) {
        guard let type = head.headers["Content-Type"] else { return }
        let essence = type.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
        if essence.lowercased() != "application/json" { throw .mediaType }
    }

    /// Whether the request changes nothing, or does not come from a web page of another host. The
    /// scheme of the origin does not count, because a proxy may add TLS.
    private static func isAllowed(_ head: RequestHead, from url: BaseURL) -> Bool {
        guard let field = head.headers["Origin"] else { return true }
        if ["GET", "HEAD", "OPTIONS"].contains(head.method) { return true }
        guard let origin = BaseURL(field) else { return false }
        return origin.authority == url.authority && origin.prefix.isEmpty
    }
}

// MARK: - Responses

extension RequestProcessor {
    /// Sends the response if the handler has finished. Otherwise the connection is suspended, and
    /// libmicrohttpd calls again when it is resumed.
    private func advance(
        _ pending: PendingResponse,
        _ exchange: Exchange,
        _ connection: OpaquePointer
    ) -> MHD_Result {
        if let response = pending.advance() {
            return send(response, connection, isLast: exchange.isLast)
        }
        register(.handling(pending), connection)
        pending.suspend()
        return .YES
    }

    /// Rejects a request that may have a body. A short body is received first, because a client
    /// may not read a response before it has sent everything.
    private func reject(
        _ rejection: Rejection,
        _ head: RequestHead,
        _ exchange: Exchange,
        _ connection: OpaquePointer
    ) -> MHD_Result {
        exchange.stage = .ignoringBody(rejection)
        if case .known(let length) = head.length, length > Self.maximumIgnoredBytes {
            return send(rejection, connection)
        }
        // The client waits for an answer before it sends the body.
        if head.headers["Expect"] != nil { return send(rejection, connection) }
        return .YES
    }

    private func send(_ rejection: Rejection, _ connection: OpaquePointer) -> MHD_Result {
        send(rejection.response, connection, isLast: true)
    }

    private func send(
        _ response: ServerResponse,
        _ connection: OpaquePointer,
        isLast: Bool
    ) -> MHD_Result {
        let queued = response.body.withUnsafeBytes { bytes in
            nb_mhd_response(bytes.baseAddress, bytes.count)
        }
        guard let queued else { return .NO }
        defer { MHD_destroy_response(queued) }
        for (name, value) in response.headers { MHD_add_response_header(queued, name, value) }
        if register(.sending, connection, bytes: response.body.count) || isLast {
            MHD_add_response_header(queued, "Connection", "close")
        }
        return MHD_queue_response(connection, UInt32(clamping: response.status), queued)
    }

    @discardableResult
    private func register(
        _ phase: ConnectionRegistry.Phase,
        _ connection: OpaquePointer,
        bytes: Int = 0
    ) -> Bool {
        guard let client = Client.stored(in: connection) else { return true }
        return registry.begin(phase, client.descriptor, bytes: bytes)
    }
}
