import NovaBlendMicroHTTPD

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
