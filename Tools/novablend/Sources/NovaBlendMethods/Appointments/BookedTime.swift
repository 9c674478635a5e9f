import Contract
package import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// What the results of bookings, changes, and holds have in common: the salon, the time, and what was
/// chosen.
package struct BookedTime: Sendable {
    static let properties: [ObjectSchema.Property] =
        [
            .optional("salon", .object(NamedSalon.schema), "absent if not known"),
            .init("when", .object(TimeView.schema), "the time on the salon's clock"),
        ] + ChosenOptions.properties

    package let appointment: Appointment
    private let requested: RequestedSalon

    init(appointment: Appointment, salon: RequestedSalon) {
        (self.appointment, requested) = (appointment, salon)
    }

    /// The salon; nil if it is not known.
    package var salon: Salon? { requested.known }

    /// The time on the salon's clock.
    package var when: TimeView {
        TimeView(of: appointment, on: requested.zonedClock, at: salon)
    }

    package var chosen: ChosenOptions { ChosenOptions(appointment: appointment, salon: salon) }

    /// Writes the members ``properties``.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("salon", salon?.named)
        writer.member("when", when.fragment)
        chosen.writeMembers(to: &writer)
    }
}

extension RequestedSalon {
    /// The salon; nil if it is not known.
    var known: Salon? {
        if case .known(let salon, _) = lookup { salon } else { nil }
    }
}

/// What an appointment is for, and with whom, by the names that the salon gives them, or gave the
/// service when it was booked. If neither is known, there are only ids.
package struct ChosenOptions {
    static let properties: [ObjectSchema.Property] = [
        .optional("service", .string, "the service's name, if known"),
        .optional("staff", .string, "the staff member's name, if known"),
    ]

    let appointment: Appointment
    let salon: Salon?

    private var options: BookingOptions { appointment.booking.options }
    /// The name of the service; nil if none was chosen or its name is not known.
    package var service: String? { appointment.service(at: salon)?.name }
    /// The name of the staff member; nil if none was chosen or the name is not known.
    package var staff: String? { salon?.member(options.staffID)?.name }

    /// Writes the members ``properties``.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("staff", staff)
    }

    /// The chosen service, staff member, and seats as lines for a person, with labels.
    var lines: [(label: String, value: String)] {
        var lines: [(String, String)] = []
        if let id = options.serviceID {
            let price = appointment.service(at: salon)?.price.map { ", \($0)" } ?? ""
            lines.append(("Service", (service ?? id) + price))
        }
        if let id = options.staffID {
            let assigned = appointment.isStaffAssigned ? " (assigned)" : ""
            lines.append(("With", (staff ?? id) + assigned))
        }
        if options.seats != 1 { lines.append(("Seats", "\(options.seats)")) }
        return lines
    }
}

extension OwnBooking {
    static let schema = ObjectSchema([
        .optional("id", .string),
        .optional("version", .integer),
        .init("appointmentTime", .string),
        .optional("idempotencyKey", .string),
    ]).named("OwnBooking")
}

extension JSONWriter {
    /// Writes a booking without personal data; writes nothing if `own` is nil.
    mutating func member(_ key: StaticString, _ own: OwnBooking?) {
        guard let own else { return }
        object(key) { writer in
            writer.member("id", own.appointment.id)
            writer.member("version", own.appointment.version)
            writer.key("appointmentTime")
            AppointmentTimeCodec.write(own.appointment.booking.time, to: &writer)
            writer.member("idempotencyKey", own.key)
        }
    }
}
