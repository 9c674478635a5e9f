import Contract
import Domain
import JSON

/// The times, service, staff member, and seats of an appointment in a result, as text for people.
struct OptionTexts {
    /// The start on the salon's clock if the salon is known; otherwise as the server wrote it.
    let start: String?
    /// The end, such as `10:15`; with the date if it is on a different day than the start.
    let end: String?
    /// The name of the service, or its id if the name is not known.
    let service: String?
    /// The name of the staff member, or the id if the name is not known.
    let staff: String?
    /// The number of seats, if there are several.
    let seats: String?

    /// - Parameter names: The object with the names and the time on the salon's clock; by default the
    ///   appointment itself.
    init(_ appointment: JSONObject, names: JSONObject? = nil) {
        let names = names ?? appointment
        let when = names.child("when")
        start = when?.text("local") ?? appointment.text("appointmentTime")
        let startTime = Self.time(start)
        end = Self.time(when?.text("end") ?? appointment.text("endTime")).map { end in
            let isSameDay = end.date == startTime?.date
            return (isSameDay ? "" : "\(end.date) ") + end.timeOfDay.description
        }
        service = names.text("service") ?? appointment.text("serviceId")
        let assigned = appointment.isTrue("staffAssigned") ? " (assigned)" : ""
        staff = (names.text("staff") ?? appointment.text("staffId")).map { $0 + assigned }
        seats = appointment.integer("seats").flatMap { $0 > 1 ? "\($0)" : nil }
    }

    private static func time(_ text: String?) -> LocalTime? {
        text.flatMap { ISO8601.parse($0) }?.localTime
    }
}
