import BookingStorage
import Contract
import Domain
import JSON

/// The JSON in which the backend returns an appointment: that of the contract, with the key that
/// booked it.
enum ServedAppointment {
    /// The schema of an appointment.
    static let schema = JSONSchema.object(
        ObjectSchema(
            AppointmentCodec.properties.map { property in
                var property = property
                switch property.name {
                case "id", "version", "endTime": property.isRequired = true
                case "status": property.schema = .string(in: ["booked", "cancelled"])
                default: break
                }
                return property
            } + [
                .init(
                    "idempotencyKey",
                    .string,
                    "the key of the request that booked it",
                    isRequired: false
                )
            ]
        ).named("Appointment")
    )

    /// The schema of a page of appointments.
    static let pageSchema = JSONSchema.object(
        ObjectSchema([
            .init(
                "subject",
                .string,
                "who the caller is, whichever token it uses; absent without a token",
                isRequired: false
            ),
            .init("\(AppointmentListCodec.key)", .array(of: schema)),
        ])
    )

    /// Writes an appointment.
    static func write(_ stored: StoredAppointment, to writer: inout JSONWriter) {
        writer.object { writer in
            AppointmentCodec.writeMembers(of: stored.appointment, to: &writer)
            writer.member("idempotencyKey", stored.idempotencyKey)
        }
    }

    /// Encodes a page of what a principal may see.
    static func encodePage(
        _ page: some Sequence<StoredAppointment>,
        for principal: Principal
    ) -> [UInt8] {
        JSONFragment { writer in
            writer.object { writer in
                let subject = principal.identity
                if !subject.isEmpty { writer.member("subject", subject) }
                writer.key(AppointmentListCodec.key)
                writer.array { writer in
                    for appointment in page { write(appointment, to: &writer) }
                }
            }
        }.bytes
    }
}

extension Salon {
    /// The version as an entity tag.
    var entityTag: EntityTag { EntityTag(version: version ?? 1) }
}

extension StoredAppointment {
    /// The version as an entity tag.
    var entityTag: EntityTag { EntityTag(version: version) }
}
