import Contract
import Domain
import JSON

/// What an appointment is for, and with whom, by the names that the salon gives them. If the salon is
/// not known, only the ids are.
struct ChosenOptions {
    static let properties: [ObjectSchema.Property] = [
        .init("service", Schemas.string, "the service's name, if known", isRequired: false),
        .init("staff", Schemas.string, "the staff member's name, if known", isRequired: false),
    ]

    let appointment: Appointment
    let salon: Salon?

    private var options: BookingOptions { appointment.booking.options }
    /// The name of the service; nil without one, or if it is not known.
    var service: String? { salon?.service(options.serviceID)?.name }
    /// The name of the staff member; nil without one, or if it is not known.
    var staff: String? { salon?.member(options.staffID)?.name }

    /// Writes the members ``properties``.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("service", service)
        writer.member("staff", staff)
    }

    /// The lines for a person, with labels.
    var lines: [(label: String, value: String)] {
        var lines: [(String, String)] = []
        if let id = options.serviceID {
            let price = salon?.service(id)?.price.map { ", \($0)" } ?? ""
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
