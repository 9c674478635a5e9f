import Contract
package import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// An appointment in a result: what the server stores, with the time on the salon's clock, and with the
/// names that the salon gives to what was chosen.
package struct AppointmentView: Sendable {
    static let schema = ObjectSchema(Schemas.appointment.properties + timeProperties)
        .named("Appointment")

    /// The members that a hold has, too: the salon's name, the time, and what was chosen.
    static let timeProperties: [ObjectSchema.Property] =
        [.optional("salonName", .string, "if the salon is known")] + TimeView.properties
        + ChosenOptions.properties

    package let appointment: Appointment
    /// The salon; nil if it is not known.
    package let salon: Salon?
    /// The clock of the salon's time zone; nil if it is not known.
    private let clock: SalonClock?

    init(_ appointment: Appointment, at salon: Salon? = nil, on clock: SalonClock? = nil) {
        (self.appointment, self.salon, self.clock) = (appointment, salon, clock)
    }

    init(_ appointment: Appointment, at salon: RequestedSalon) {
        self.init(appointment, at: salon.known, on: salon.zonedClock)
    }

    /// The time on the salon's clock, or with the offset that the server states.
    package var when: TimeView { TimeView(of: appointment, on: clock, at: salon) }

    package var chosen: ChosenOptions { ChosenOptions(appointment: appointment, salon: salon) }

    /// Writes the members of ``schema`` into the current object.
    func writeMembers(to writer: inout JSONWriter) {
        // The time and the chosen service state these.
        var stored = appointment
        (stored.endTime, stored.bookedService) = (nil, nil)
        AppointmentCodec.writeMembers(of: stored, to: &writer)
        writeTimeMembers(to: &writer)
    }

    /// Writes the members ``timeProperties`` into the current object.
    func writeTimeMembers(to writer: inout JSONWriter) {
        writer.member("salonName", salon?.name)
        when.writeMembers(to: &writer)
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
        .optional(
            "price",
            .string,
            "the service's price, such as 45.00 EUR, if the salon states it"
        ),
    ]

    let appointment: Appointment
    let salon: Salon?

    private var options: BookingOptions { appointment.booking.options }
    /// The name of the service; nil if none was chosen or its name is not known.
    package var service: String? { appointment.service(at: salon)?.name }
    /// The name of the staff member; nil if none was chosen or the name is not known.
    package var staff: String? { salon?.member(options.staffID)?.name }
    /// The price of the service; nil if none was chosen or the salon states none.
    package var price: Price? { appointment.service(at: salon)?.price }

    /// Writes the members ``properties``.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("staff", staff)
        writer.member("price", price?.description)
    }

    /// The chosen service, staff member, and seats as lines for a person, with labels.
    var lines: [(label: String, value: String)] {
        var lines: [(String, String)] = []
        if let id = options.serviceID {
            lines.append(("Service", (service ?? id) + (price.map { ", \($0)" } ?? "")))
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
