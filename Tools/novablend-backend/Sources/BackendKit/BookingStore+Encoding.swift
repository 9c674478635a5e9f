import Contract
import Domain
import JSON

extension BookingStore.Entry {
    /// Writes the appointment in the contract's format, with the key that booked it.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            AppointmentCodec.writeMembers(of: appointment, to: &writer)
            writer.member("idempotencyKey", idempotencyKey)
        }
    }

    /// The same as JSON bytes.
    var encoded: JSONFragment { JSONFragment { write(to: &$0) } }
}

extension [BookingStore.Entry] {
    /// The list of appointments in the contract's format, each with the key that booked it.
    var encoded: [UInt8] {
        JSONFragment { writer in
            writer.object { writer in
                writer.key(AppointmentListCodec.key)
                writer.array { writer in
                    for entry in self { entry.write(to: &writer) }
                }
            }
        }.bytes
    }
}
