import Contract
import Domain
import JSON

/// The lines that show a person everything that is stored about an appointment.
struct AppointmentDetails {
    let appointment: Appointment
    let salon: RequestedSalon

    /// The lines; `before` is the appointment before it is moved.
    func lines(before: Appointment? = nil) -> [String] {
        let booking = appointment.booking
        var lines = [line("Salon", salon.place)]
        if let before {
            lines.append(line("From", time(of: before)))
            lines.append(line("To", time(of: appointment)))
        } else {
            lines.append(line("Time", time(of: appointment)))
        }
        lines.append(line("Phone", booking.phone))
        if let email = booking.email { lines.append(line("Email", email)) }
        if let note = booking.note { lines.append(line("Notes", note)) }
        if let id = appointment.id {
            let version = (before ?? appointment).version.map { ", version \($0)" } ?? ""
            lines.append(line("Appointment", id + version))
        }
        return lines
    }

    private func line(_ label: String, _ value: String) -> String {
        "\(label): \(VisibleText.line(value))"
    }

    /// Such as `Tuesday, 2026-11-24, 14:30 to 15:00 (+01:00, Europe/Berlin)`. The end is shown if the
    /// salon states how long an appointment lasts.
    private func time(of appointment: Appointment) -> String {
        let clock = salon.zonedClock
        let stored = appointment.booking.time
        let start = clock?.time(at: stored.instant) ?? stored
        let offset = ISO8601.formatOffset(minutes: start.offsetMinutes)
        let zone = clock?.zone.map { ", \($0)" } ?? ""
        return "\(day(of: start)), \(Self.timeOfDay(of: start))\(end(after: start, on: clock)) "
            + "(\(offset)\(zone))"
    }

    private func end(after start: AppointmentTime, on clock: SalonClock?) -> String {
        guard case .known(let salon, _) = salon.lookup, let minutes = salon.slotMinutes else {
            return ""
        }
        let later = start.advanced(byMinutes: minutes)
        let end = clock?.time(at: later.instant) ?? later
        let isSameDay = end.localTime.date == start.localTime.date
        return " to " + (isSameDay ? "" : "\(day(of: end)), ") + Self.timeOfDay(of: end)
    }

    private func day(of time: AppointmentTime) -> String {
        let date = time.localTime.date
        return "\(date.weekday.rawValue), \(date)"
    }

    /// The time of day, with seconds if there are any.
    private static func timeOfDay(of time: AppointmentTime) -> String {
        let second = time.localTime.secondOfDay % 60
        if second == 0 { return time.timeOfDay.description }
        return "\(time.timeOfDay):" + (second < 10 ? "0" : "") + "\(second)"
    }
}

extension RequestedSalon {
    /// The name and the location of the salon, for a person.
    fileprivate var place: String {
        guard case .known(let salon, _) = lookup else { return "\(id) (name unknown)" }
        return "\(salon.name), \(salon.location)"
    }
}
