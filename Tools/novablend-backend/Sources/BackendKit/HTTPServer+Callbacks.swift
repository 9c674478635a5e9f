import NovaBlendMicroHTTPD

extension HTTPServer {
    /// A request whose body is still arriving. Only one thread at a time uses it.
    private final class Exchange {
        var body: [UInt8] = []
        var isTooLarge = false
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
            let limit = server.limits.maximumBodyBytes
            let problem = Problem(413, "tooLarge", "the body is larger than \(limit) bytes")
            return queue(problem.response, connection)
        }
        var request = ServerRequest(
            method: String(cString: method),
            path: String(cString: url),
            body: exchange.body
        )
        for name in ["idempotency-key", "if-match", "if-none-match", "host"] {
            request.headers[name] = nb_mhd_header(connection, name).map { String(cString: $0) }
        }
        for name in ["start", "end", "limit", "after"] {
            request.query[name] = nb_mhd_query(connection, name).map { String(cString: $0) }
        }
        return queue(server.respond(request), connection)
    }

    static let completed: MHD_RequestCompletedCallback = { _, _, state, _ in
        guard let pointer = state?.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(pointer).release()
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
