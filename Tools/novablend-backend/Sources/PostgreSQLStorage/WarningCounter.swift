import NovaBlendPQ

/// Counts the warnings that the server sends over a connection.
final class WarningCounter {
    private(set) var count = 0

    init(_ connection: OpaquePointer) {
        // libpq calls this only during its functions for this connection. The owner of the connection
        // also owns this object, so the pointer to it is valid then.
        nb_pq_set_notice_receiver(
            connection,
            { context, result in
                guard let context, let result, let severity = nb_pq_result_error_field(result, 86)
                else { return }
                if String(cString: severity) == "WARNING" {
                    Unmanaged<WarningCounter>.fromOpaque(context).takeUnretainedValue().count += 1
                }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
