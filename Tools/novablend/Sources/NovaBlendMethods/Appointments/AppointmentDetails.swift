import Contract
import Domain
import JSON

/// The lines that show a person everything that is stored about an appointment.
struct AppointmentDetails {
    let appointment: Appointment
    let salon: RequestedSalon

    /// The lines that show the appointment; `before` is the appointment before it is moved.
    func lines(before: Appointment? = nil) -> [String] {
        let booking = appointment.booking
        var lines = [line("Salon", salon.place)]
        if let before {
            lines.append(line("From", time(of: before)))
            lines.append(line("To", time(of: appointment)))
        } else {
            lines.append(line("Time", time(of: appointment)))
        }
        lines += options(before: before)
        lines.append(line("Phone", booking.phone))
        if let email = booking.email { lines.append(line("Email", email)) }
        if let note = booking.note { lines.append(line("Notes", note)) }
        if let id = appointment.id {
            let version = (before ?? appointment).version.map { ", version \($0)" } ?? ""
            lines.append(line("Appointment", id + version))
        }
        return lines
    }

    /// The service, the staff member, and the seats, each with the old value if it changes.
    private func options(before: Appointment?) -> [String] {
        let salon = salon.known
        let old = before.map { ChosenOptions(appointment: $0, salon: salon).lines } ?? []
        let new = ChosenOptions(appointment: appointment, salon: salon).lines
        let changed = new.map { option in
            let earlier = old.first { $0.label == option.label }?.value
            let isSame = earlier == nil || earlier == option.value
            return line(option.label, isSame ? option.value : "\(earlier ?? "") -> \(option.value)")
        }
        let isAnyone = !new.contains { $0.label == "With" }
        let left = old.first { $0.label == "With" && isAnyone }
        return changed + (left.map { [line("With", "\($0.value) -> anyone")] } ?? [])
    }

    private func line(_ label: String, _ value: String) -> String {
        "\(label): \(VisibleText.line(value))"
    }

    /// The time as text, such as `Tuesday, 2026-11-24, 14:30 to 15:00 (+01:00, Europe/Berlin)`. The
    /// end is shown if the server or the salon states it.
    private func time(of appointment: Appointment) -> String {
        let clock = salon.zonedClock
        let stored = appointment.booking.time
        let start = clock?.time(at: stored.instant) ?? stored
        let offset = ISO8601.formatOffset(minutes: start.offsetMinutes)
        let zone = clock?.zone.map { ", \($0)" } ?? ""
        return "\(day(of: start)), \(start.localTime.timeText)\(end(of: appointment, on: clock)) "
            + "(\(offset)\(zone))"
    }

    private func end(of appointment: Appointment, on clock: SalonClock?) -> String {
        guard let stored = appointment.end(at: salon.known) else { return "" }
        let end = clock?.time(at: stored.instant) ?? stored
        let start = appointment.booking.time
        let startDate = (clock?.time(at: start.instant) ?? start).localTime.date
        let isSameDay = end.localTime.date == startDate
        return " to " + (isSameDay ? "" : "\(day(of: end)), ") + end.localTime.timeText
    }

    private func day(of time: AppointmentTime) -> String {
        let date = time.localTime.date
        return "\(date.weekday.rawValue), \(date)"
    }
}

extension RequestedSalon {
    /// The name and the location of the salon, for a person.
    fileprivate var place: String {
        known.map { "\($0.name), \($0.location)" } ?? "\(id) (name unknown)"
    }
}
