import BookingStorage
import Contract
import Domain
import JSON

/// The JSON in which everything about a customer is exported.
enum CustomerExport {
    /// Encodes the data of the customer with a phone number.
    static func encode(_ data: CustomerData, of caller: String) -> [UInt8] {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("phone", caller)
                writer.key("appointments")
                writer.array { writer in
                    for stored in data.appointments {
                        StoredAppointmentCodec.write(stored, to: &writer)
                    }
                }
                writer.key("deletedAppointments")
                writer.array { writer in
                    for deleted in data.deletedAppointments { write(deleted, to: &writer) }
                }
                writer.key("holds")
                writer.array { writer in for hold in data.holds { write(hold, to: &writer) } }
                writer.key("requests")
                writer.array { writer in
                    for request in data.requests { write(request, to: &writer) }
                }
                writer.key("tokens")
                writer.array { writer in for token in data.tokens { write(token, to: &writer) } }
            }
        }.bytes + Array("\n".utf8)
    }

    private static func write(_ deleted: DeletedAppointment, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", deleted.id)
            writer.member("salonId", deleted.salonID.description)
        }
    }

    private static func write(_ hold: StoredHold, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", hold.id)
            writer.member("expiresAt", ISO8601.formatUTC(hold.expiresAt))
            writer.key("booking")
            BookingRequestCodec.write(hold.booking, to: &writer)
        }
    }

    private static func write(_ request: CustomerData.Request, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("idempotencyKey", request.key)
            writer.member("method", request.method)
            writer.member("path", request.path)
            writer.member("usedAt", ISO8601.formatUTC(request.usedAt))
            writer.key("result")
            StoredAppointmentCodec.write(request.result, to: &writer)
        }
    }

    private static func write(_ token: StoredToken, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", token.id)
            writer.member("name", token.name)
            writer.member("createdAt", ISO8601.formatUTC(token.createdAt))
            writer.member("expiresAt", token.expiresAt.map(ISO8601.formatUTC))
            writer.member("revokedAt", token.revokedAt.map(ISO8601.formatUTC))
        }
    }
}
