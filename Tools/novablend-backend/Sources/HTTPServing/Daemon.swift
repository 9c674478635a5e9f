import NovaBlendMicroHTTPD

/// The threads of libmicrohttpd, which serve connections.
final class Daemon: Sendable {
    // The pointer never changes, and libmicrohttpd synchronizes access to the daemon itself.
    private nonisolated(unsafe) let daemon: OpaquePointer
    private let processor: RequestProcessor

    /// Returns nil, with `errno`, if the threads cannot be started.
    init?(threads: Int, _ processor: RequestProcessor) {
        let daemon = nb_mhd_start(
            UInt32(clamping: threads),
            RequestProcessor.callbacks,
            Unmanaged.passUnretained(processor).toOpaque()
        )
        guard let daemon else { return nil }
        self.daemon = daemon
        self.processor = processor
    }

    /// Serves a connection and closes it at its end.
    func serve(_ connection: Admission.Connection) {
        connection.withAddress { address, size in
            if MHD_add_connection(daemon, connection.descriptor, address, size) == .NO {
                processor.failedToStart(connection.descriptor)
            }
        }
    }

    /// Stops the threads and closes all connections. No connection may be suspended.
    func stop() { MHD_stop_daemon(daemon) }

    /// Lets the threads run until the process exits, because a handler blocks one of them.
    func leaveRunning() { _ = Unmanaged.passRetained(processor) }
}
