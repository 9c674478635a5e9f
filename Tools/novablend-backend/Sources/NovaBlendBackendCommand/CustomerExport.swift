import BookingStorage
import Contract
import Domain
import JSON

/// The JSON in which everything about a customer is exported.
enum CustomerExport {
    /// Encodes the data of the customer with a phone number.
    static func encode(_ data: CustomerData, of caller: String) -> [UInt8] {
        ObjectFragment { writer in
            writer.member("phone", caller)
            writer.member("appointments", data.appointments.map(json))
            writer.member("deletedAppointments", data.deletedAppointments.map(json))
            writer.member("holds", data.holds.map(json))
            writer.member("requests", data.requests.map(json))
            writer.member("tokens", data.tokens.map(json))
        }.fragment.bytes + Array("\n".utf8)
    }

    private static func json(_ stored: StoredAppointment) -> JSONFragment {
        JSONFragment { StoredAppointmentCodec.write(stored, to: &$0) }
    }

    private static func json(_ deleted: DeletedAppointment) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("id", deleted.id)
            writer.member("salonId", deleted.salonID.description)
        }.fragment
    }

    private static func json(_ hold: StoredHold) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("id", hold.id)
            writer.member("expiresAt", ISO8601.formatUTC(hold.expiresAt))
            writer.key("booking")
            BookingRequestCodec.write(hold.booking, to: &writer)
        }.fragment
    }

    private static func json(_ request: CustomerData.Request) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("idempotencyKey", request.key)
            writer.member("method", request.method)
            writer.member("path", request.path)
            writer.member("usedAt", ISO8601.formatUTC(request.usedAt))
            writer.member("result", json(request.result))
        }.fragment
    }

    private static func json(_ token: StoredToken) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("id", token.id)
            writer.member("name", token.name)
            writer.member("createdAt", ISO8601.formatUTC(token.createdAt))
            writer.member("expiresAt", token.expiresAt.map(ISO8601.formatUTC))
            writer.member("revokedAt", token.revokedAt.map(ISO8601.formatUTC))
        }.fragment
    }
}
