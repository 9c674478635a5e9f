import Contract
import Domain
import JSON
import JSONRPC

extension OwnBooking {
    static let schema = ObjectSchema([
        .init("id", Schemas.string, isRequired: false),
        .init("version", Schemas.integer, isRequired: false),
        .init("appointmentTime", Schemas.string),
        .init("idempotencyKey", Schemas.string, isRequired: false),
    ]).named("OwnBooking")
}

extension JSONWriter {
    /// Writes a booking without personal data; writes nothing if `own` is nil.
    mutating func member(_ key: StaticString, _ own: OwnBooking?) {
        guard let own else { return }
        self.key(key)
        object { writer in
            writer.member("id", own.appointment.id)
            writer.member("version", own.appointment.version)
            writer.key("appointmentTime")
            AppointmentTimeCodec.write(own.appointment.booking.time, to: &writer)
            writer.member("idempotencyKey", own.key)
        }
    }
}
