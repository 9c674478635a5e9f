import BookingStorage
import CommandLineKit
import Contract
import Domain

/// What the command `customers erase` shows.
struct CustomerReport {
    let data: CustomerData
    /// Other customers, whose data is not erased.
    let similar: [SimilarCaller]

    /// A table of the appointments, the numbers of other data, and a table of the customers with
    /// similar numbers.
    func lines(width: Int?) -> [String] {
        var lines: [String] = []
        if !data.appointments.isEmpty { lines += appointments.lines(width: width) }
        lines.append(summary)
        if !similar.isEmpty {
            lines.append("")
            lines.append("similar numbers, whose data is not affected:")
            lines += callers.lines(width: width)
        }
        return lines
    }

    private var appointments: TextTable {
        var table = TextTable(
            ["TIME", "STATUS", "PHONE", "SALON", "ID"].map { .init($0) }
        )
        for stored in data.appointments {
            let booking = stored.booking
            table.add([
                ISO8601.format(booking.time), stored.status.name, booking.phone,
                booking.salonID.description, stored.id,
            ])
        }
        return table
    }

    private var summary: String {
        let counts = [
            (data.appointments.count, "appointments"),
            (data.deletedAppointments.count, "deleted appointments"),
            (data.holds.count, "holds"), (data.requests.count, "results of requests"),
            (data.tokens.count, "tokens"),
        ]
        return counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private var callers: TextTable {
        var table = TextTable([.init("PHONE"), .init("APPOINTMENTS")])
        for other in similar { table.add([other.caller, "\(other.appointments)"]) }
        return table
    }
}
