import NovaBlendMicroHTTPD

/// The functions that libmicrohttpd calls. Their context is a `RequestProcessor`.
extension RequestProcessor {
    static let callbacks = nb_mhd_callbacks(
        access: access,
        target: target,
        completed: completed,
        connection: connection
    )

    func started(_ client: Client) { registry.begin(.new, client.descriptor) }

    func receivedTarget(_ client: Client) { registry.begin(.header, client.descriptor) }

    func completed(_ client: Client) { registry.begin(.idle, client.descriptor) }

    /// libmicrohttpd has closed an accepted connection without a notification.
    func failedToStart(_ descriptor: Int32) { registry.remove(descriptor) }

    func closed(_ client: Client) { registry.remove(client.descriptor) }

    private static func processor(_ context: UnsafeMutableRawPointer) -> RequestProcessor {
        Unmanaged.fromOpaque(context).takeUnretainedValue()
    }

    /// The result is the request's state, which `completed` releases.
    private static let target:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { context, target, connection in
            guard let context, let target, let connection else { return nil }
            if let client = Client.stored(in: connection) {
                processor(context).receivedTarget(client)
            }
            return Unmanaged.passRetained(Exchange(target: target)).toOpaque()
        }

    private static let access: MHD_AccessHandlerCallback = {
        context,
        connection,
        _,
        method,
        version,
        bytes,
        size,
        state in
        guard let context, let connection, let method, let version, let size,
            let pointer = state?.pointee
        else { return .NO }
        let processor = processor(context)
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
        if case .header = exchange.stage {
            return processor.receiveHeader(exchange, connection, method: method, version: version)
        }
        if size.pointee == 0 { return processor.advance(exchange, connection) }
        let part = UnsafeRawBufferPointer(start: bytes, count: size.pointee)
        size.pointee = 0
        return processor.receiveBody(part, exchange)
    }

    private static let completed: MHD_RequestCompletedCallback = { context, connection, state, _ in
        if let pointer = state?.pointee {
            Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue().abandon()
        }
        guard let context, let connection, let client = Client.stored(in: connection) else {
            return
        }
        processor(context).completed(client)
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
            processor.started(client)
        } else if let pointer = stored.pointee {
            let client = Unmanaged<Client>.fromOpaque(pointer).takeRetainedValue()
            processor(context).closed(client)
        }
    }
}
