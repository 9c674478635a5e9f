import NovaBlendMicroHTTPD

/// Receives requests from libmicrohttpd, checks them, and passes them to the handler.
final class RequestProcessor: Sendable {
    let publicAddress: PublicAddress
    /// The host and port of requests without `Host`.
    let authority: String
    let registry: ConnectionRegistry
    private let handler: HTTPServer.Handler

    init(
        publicAddress: PublicAddress,
        authority: String,
        registry: ConnectionRegistry,
        handler: @escaping HTTPServer.Handler
    ) {
        self.publicAddress = publicAddress
        self.authority = authority
        self.registry = registry
        self.handler = handler
    }

    /// Called when the header is complete. The handler of a request with a body starts now, so that
    /// it can reject the request before the body is stored.
    func receiveHeader(
        _ exchange: Exchange,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> MHD_Result {
        let (head, endpoint): (RequestHead, Endpoint)
        do {
            head = try RequestHead(exchange, method: method, version: version)
            endpoint = try self.endpoint(of: head, exchange.client)
        } catch {
            // It is not clear where the request ends.
            return send(error.response, exchange, isLast: true)
        }
        let hasBody = head.length != .known(0)
        exchange.isLast = head.length == .chunked
        exchange.receivesRest = hasBody && Self.isRestReceived(head)
        exchange.maximumBytes = registry.limits.maximumBodyBytes(of: head.method)
        if hasBody { registry.begin(.body, exchange.client) }
        if let rejection = rejection(of: head, from: endpoint.url) {
            return respondEarly(rejection.response, isLast: true, exchange)
        }
        var request = ServerRequest(head, endpoint)
        guard hasBody else {
            exchange.stage = .withoutBody(request)
            return .YES
        }
        let body = IncomingBody()
        request.incomingBody = body
        return start(request, exchange) { .deciding($0, body) }
    }

    /// Called for each part of the body.
    func receiveBody(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) -> MHD_Result {
        exchange.received += bytes.count
        if exchange.received > Self.maximumIgnoredBytes { return .NO }
        guard case .receiving = exchange.stage else { return .YES }
        if exchange.received > exchange.maximumBytes {
            exchange.abandon()
            exchange.body = []
            let rejection = Rejection.tooLarge(limit: exchange.maximumBytes)
            exchange.stage = .ignoringBody(rejection.response, isLast: true)
        } else {
            exchange.body.append(contentsOf: bytes)
        }
        return .YES
    }

    /// Called when the request is complete, and when the handler can continue.
    func advance(_ exchange: Exchange) -> MHD_Result {
        switch exchange.stage {
        case .header: return .NO
        case .withoutBody(let request):
            return start(request, exchange) { .handling($0) }
        case .deciding(let pending, let body):
            if let response = pending.advance() {
                return respondEarly(response, isLast: exchange.isLast, exchange)
            }
            guard body.isAwaited else { return suspend(pending, exchange) }
            exchange.stage = .receiving(pending, body)
            registry.begin(.body, exchange.client)
            return .YES
        case .receiving(let pending, let body):
            guard beginHandling(exchange) else {
                exchange.abandon()
                return send(Rejection.late.response, exchange, isLast: true)
            }
            exchange.stage = .handling(pending)
            body.end(exchange.body)
            exchange.body = []
            return advance(exchange)
        case .ignoringBody(let response, let isLast):
            return send(response, exchange, isLast: isLast)
        case .handling(let pending):
            guard let response = pending.advance() else { return suspend(pending, exchange) }
            return send(response, exchange, isLast: exchange.isLast)
        }
    }

    /// Starts the handler.
    private func start(
        _ request: ServerRequest,
        _ exchange: Exchange,
        _ stage: (PendingResponse) -> Exchange.Stage
    ) -> MHD_Result {
        guard beginHandling(exchange) else {
            return respondEarly(Rejection.late.response, isLast: true, exchange)
        }
        let pending = PendingResponse(for: exchange.connection)
        exchange.stage = stage(pending)
        pending.start(handler, request)
        return advance(exchange)
    }

    /// Prevents the server from shutting down the input of the connection from now on. Returns
    /// whether the input is still open.
    private func beginHandling(_ exchange: Exchange) -> Bool {
        registry.begin(.handling(nil), exchange.client)
        return !registry.isInputClosed(exchange.client)
    }

    /// The largest rest of a body that is ignored, so that the client can read the response.
    private static let maximumIgnoredBytes = 1 << 20

    /// Whether the rest of a body that is not needed is received, because a client may not read the
    /// response before it has sent everything.
    private static func isRestReceived(_ head: RequestHead) -> Bool {
        if case .known(let length) = head.length, length > maximumIgnoredBytes { return false }
        // A client that sends `Expect` waits for an answer before it sends the body.
        return head.headers["Expect"] == nil
    }
}

// MARK: - Responses

extension RequestProcessor {
    /// Suspends the connection until the handler can continue. Then libmicrohttpd calls again.
    private func suspend(_ pending: PendingResponse, _ exchange: Exchange) -> MHD_Result {
        registry.begin(.handling(pending), exchange.client)
        pending.suspend()
        return .YES
    }

    /// Responds to a request whose body is not needed.
    private func respondEarly(
        _ response: ServerResponse,
        isLast: Bool,
        _ exchange: Exchange
    ) -> MHD_Result {
        guard exchange.receivesRest else { return send(response, exchange, isLast: true) }
        exchange.stage = .ignoringBody(response, isLast: isLast)
        registry.begin(.body, exchange.client)
        return .YES
    }

    private func send(
        _ response: ServerResponse,
        _ exchange: Exchange,
        isLast: Bool
    ) -> MHD_Result {
        let queued = response.body.withUnsafeBytes { bytes in
            nb_mhd_response(bytes.baseAddress, bytes.count)
        }
        guard let queued else { return .NO }
        defer { MHD_destroy_response(queued) }
        for (name, value) in response.headers { MHD_add_response_header(queued, name, value) }
        if registry.begin(.sending, exchange.client, bytes: response.body.count) || isLast {
            MHD_add_response_header(queued, "Connection", "close")
        }
        return MHD_queue_response(exchange.connection, UInt32(clamping: response.status), queued)
    }
}
