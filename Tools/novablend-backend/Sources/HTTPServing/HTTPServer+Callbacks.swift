import NovaBlendMicroHTTPD

extension HTTPServer {
    /// A request, from its first header field to its response. Only the thread that serves the
    /// connection uses it.
    private final class Exchange {
        var body: [UInt8] = []
        var isTooLarge = false
        var pending: PendingResponse?
    }

    static let access: MHD_AccessHandlerCallback = {
        context,
        connection,
        url,
        method,
        _,
        bytes,
        size,
        state in
        guard let context, let connection, let url, let method, let size, let state else {
            return .NO
        }
        guard let pointer = state.pointee else {
            state.pointee = Unmanaged.passRetained(Exchange()).toOpaque()
            return .YES
        }
        let server = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
        if size.pointee > 0 {
            let isTooLarge = exchange.body.count + size.pointee > server.limits.maximumBodyBytes
            if isTooLarge { exchange.isTooLarge = true }
            if !exchange.isTooLarge, let bytes {
                let chunk = UnsafeRawBufferPointer(start: bytes, count: size.pointee)
                exchange.body.append(contentsOf: chunk)
            }
            size.pointee = 0
            return .YES
        }
        guard !exchange.isTooLarge else {
            return queue(.tooLarge(limit: server.limits.maximumBodyBytes), connection)
        }
        if let pending = exchange.pending { return respond(with: pending, connection) }
        let request = ServerRequest(
            method: String(cString: method),
            path: String(cString: url),
            body: exchange.body,
            connection
        )
        let pending = PendingResponse(for: connection)
        exchange.pending = pending
        pending.start(server.handler, request)
        return respond(with: pending, connection)
    }

    static let completed: MHD_RequestCompletedCallback = { _, _, state, _ in
        guard let pointer = state?.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().pending?.abandon()
    }

    /// Queues the response if there is one. Otherwise the connection is suspended, and libmicrohttpd
    /// calls `access` again when it is resumed.
    private static func respond(
        with pending: PendingResponse,
        _ connection: OpaquePointer
    ) -> MHD_Result {
        if let response = pending.advance() { return queue(response, connection) }
        return .YES
    }

    private static func queue(
        _ response: ServerResponse,
        _ connection: OpaquePointer
    ) -> MHD_Result {
        let queued = response.body.withUnsafeBytes { bytes in
            nb_mhd_response(bytes.baseAddress, bytes.count)
        }
        guard let queued else { return .NO }
        defer { MHD_destroy_response(queued) }
        for (name, value) in response.headers { MHD_add_response_header(queued, name, value) }
        return MHD_queue_response(connection, UInt32(clamping: response.status), queued)
    }
}

extension ServerResponse {
    fileprivate static func tooLarge(limit: Int) -> ServerResponse {
        let message = "the body is larger than \(limit) bytes"
        let body = "{\"error\":\"tooLarge\",\"message\":\"\(message)\"}"
        return ServerResponse(status: 413, body: Array(body.utf8))
    }
}
