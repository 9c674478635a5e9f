import BookingStorage
import Contract
import JSON

extension StoredAppointment {
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

extension [StoredAppointment] {
    /// The list of appointments in the contract's format, each with the key that booked it.
    var encoded: [UInt8] {
        JSONFragment { writer in
            writer.object { writer in
                writer.key(AppointmentListCodec.key)
                writer.array { writer in
                    for stored in self { stored.write(to: &writer) }
                }
            }
        }.bytes
    }
}
