import BookingStorage
import Contract
import Domain
import JSON
import WebPrimitives

/// The JSON in which the backend returns an appointment: that of the contract, with the key that
/// booked it.
enum ServedAppointment {
    /// The schema of an appointment.
    static let schema = JSONSchema.object(ObjectSchema(properties).named("Appointment"))

    /// The members of an appointment.
    static let properties: [ObjectSchema.Property] =
        AppointmentCodec.properties.map { property in
            var property = property
            switch property.name {
            case "id", "version": property.isRequired = true
            case "endTime":
                property.summary =
                    "absent if the length is not known: there is no service, and the salon states no "
                    + "slot_minutes"
            case "status": property.schema = .string(in: ["booked", "cancelled"])
            default: break
            }
            return property
        } + [
            .optional("idempotencyKey", .string, "the key of the request that booked it")
        ]

    /// The schema of a page of appointments, or of elements that are served in the same form.
    static func pageSchema(of element: JSONSchema = schema) -> JSONSchema {
        .object(
            ObjectSchema([
                .optional(
                    "subject",
                    .string,
                    "who the caller is, whichever token it uses; absent without a token"
                ),
                .init("\(AppointmentListCodec.key)", .array(of: element)),
            ])
        )
    }

    /// Writes an appointment.
    static func write(_ stored: StoredAppointment, to writer: inout JSONWriter) {
        writer.object { writeMembers(of: stored, to: &$0) }
    }

    /// Writes the members of an appointment into the current object.
    static func writeMembers(of stored: StoredAppointment, to writer: inout JSONWriter) {
        AppointmentCodec.writeMembers(of: stored.appointment, to: &writer)
        writer.member("idempotencyKey", stored.idempotencyKey)
    }

    /// Encodes a page of appointments that a principal may see.
    static func encodePage(
        _ page: some Sequence<StoredAppointment>,
        for principal: Principal
    ) -> [UInt8] {
        encodePage(page, for: principal) { write($0, to: &$1) }
    }

    /// Encodes a page in the form of a page of appointments. `write` writes each element.
    static func encodePage<Element>(
        _ page: some Sequence<Element>,
        for principal: Principal,
        write: (Element, inout JSONWriter) -> Void
    ) -> [UInt8] {
        ObjectFragment { writer in
            let subject = principal.identity
            if !subject.isEmpty { writer.member("subject", subject) }
            writer.key(AppointmentListCodec.key)
            writer.array { writer in for element in page { write(element, &writer) } }
        }.fragment.bytes
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
