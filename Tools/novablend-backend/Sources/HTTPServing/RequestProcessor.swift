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

/// The checks of a request before its handler starts.
extension RequestProcessor {
    func endpoint(of head: RequestHead, _ client: Client) throws(Rejection) -> Endpoint {
        let host = head.target.authority ?? head.host ?? authority
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

    /// Why a request is rejected although its syntax is valid; nil if it is not.
    func rejection(of head: RequestHead, from url: BaseURL) -> Rejection? {
        let limit = registry.limits.maximumBodyBytes(of: head.method)
        if case .known(let length) = head.length, length > limit { return .tooLarge(limit: limit) }
        if head.length != .known(0) {
            if !Self.isJSON(head) { return .mediaType }
            if !Self.isUncoded(head) { return .contentCoding }
        }
        return Self.isAllowed(head, from: url) ? nil : .origin
    }

    /// Whether the body is JSON (RFC 9110, section 8.3.1). A body without `Content-Type` counts as
    /// JSON.
    private static func isJSON(_ head: RequestHead) -> Bool {
        let types = head.headers.values(of: "Content-Type")
        guard let type = types.first else { return true }
        var parser = FieldParser(type)
        guard types.count == 1, parser.token()?.equalsIgnoringCase("application") == true,
            parser.take("/"), parser.token()?.equalsIgnoringCase("json") == true
        else { return false }
        parser.skipBlanks()
        return parser.isAtEnd || parser.take(";")
    }

    /// Whether the body is as it was before any coding (RFC 9110, section 8.4).
    private static func isUncoded(_ head: RequestHead) -> Bool {
        let codings = FieldParser.list(head.headers.values(of: "Content-Encoding")) { $0.token() }
        return codings?.allSatisfy { $0.equalsIgnoringCase("identity") } ?? false
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

/// The functions that libmicrohttpd calls. Their context is a `RequestProcessor`.
extension RequestProcessor {
    static let callbacks = nb_mhd_callbacks(
        access: access,
        target: target,
        completed: completed,
        connection: connection
    )

    private static func processor(_ context: UnsafeMutableRawPointer) -> RequestProcessor {
        Unmanaged.fromOpaque(context).takeUnretainedValue()
    }

    /// The result is the request's state, which `completed` releases.
    private static let target:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { context, target, connection in
            guard let context, let target, let connection,
                let stored = nb_mhd_socket_context(connection)
            else { return nil }
            let client = Unmanaged<Client>.fromOpaque(stored).takeUnretainedValue()
            processor(context).registry.begin(.header, client)
            return Unmanaged.passRetained(Exchange(client, connection, target: target)).toOpaque()
        }

    private static let access: MHD_AccessHandlerCallback = {
        context,
        _,
        _,
        method,
        version,
        bytes,
        size,
        state in
        guard let context, let method, let version, let size, let pointer = state?.pointee
        else { return .NO }
        let processor = processor(context)
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
        if case .header = exchange.stage {
            return processor.receiveHeader(exchange, method: method, version: version)
        }
        if size.pointee == 0 { return processor.advance(exchange) }
        let part = UnsafeRawBufferPointer(start: bytes, count: size.pointee)
        size.pointee = 0
        return processor.receiveBody(part, exchange)
    }

    private static let completed: MHD_RequestCompletedCallback = { context, _, state, _ in
        guard let context, let pointer = state?.pointee else { return }
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
        exchange.abandon()
        processor(context).registry.begin(.idle, exchange.client)
    }

    private static let connection: MHD_NotifyConnectionCallback = {
        context,
        connection,
        stored,
        code in
        guard let context, let connection, let stored else { return }
        if code == .CONNECTION_NOTIFY_STARTED {
            let processor = processor(context)
            let client = Client(of: connection, isTrusted: processor.publicAddress.isTrusted)
            stored.pointee = Unmanaged.passRetained(client).toOpaque()
            processor.registry.begin(.new, client)
        } else if let pointer = stored.pointee {
            let client = Unmanaged<Client>.fromOpaque(pointer).takeRetainedValue()
            processor(context).registry.remove(client.descriptor)
        }
    }
}
