import BookingStorage
import CommandLineKit
import Contract
import Domain
import JSON

/// The JSON in which everything about a customer is exported.
enum CustomerExport {
    /// Encodes the data of the customer with a phone number.
    static func encode(_ data: CustomerData, of caller: String) -> [UInt8] {
        ObjectFragment { writer in
            writer.member("phone", caller)
            writer.member("appointments", data.appointments.map(json))
            writer.member("deletedAppointments", data.deletedAppointments.map(json))
            writer.member("holds", data.holds.map(json))
            writer.member("requests", data.requests.map(json))
            writer.member("tokens", data.tokens.map(json))
        }.fragment.bytes + Array("\n".utf8)
    }

    private static func json(_ stored: StoredAppointment) -> JSONFragment {
        JSONFragment { StoredAppointmentCodec.write(stored, to: &$0) }
    }

    private static func json(_ deleted: DeletedAppointment) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("id", deleted.id)
            writer.member("salonId", deleted.salonID.description)
        }.fragment
    }

    private static func json(_ hold: StoredHold) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("id", hold.id)
            writer.member("expiresAt", ISO8601.formatUTC(hold.expiresAt))
            writer.key("booking")
            BookingRequestCodec.write(hold.booking, to: &writer)
        }.fragment
    }

    private static func json(_ request: CustomerData.Request) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("idempotencyKey", request.key)
            writer.member("method", request.method)
            writer.member("path", request.path)
            writer.member("usedAt", ISO8601.formatUTC(request.usedAt))
            writer.member("result", json(request.result))
        }.fragment
    }

    private static func json(_ token: StoredToken) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("id", token.id)
            writer.member("name", token.name)
            writer.member("createdAt", ISO8601.formatUTC(token.createdAt))
            writer.member("expiresAt", token.expiresAt.map(ISO8601.formatUTC))
            writer.member("revokedAt", token.revokedAt.map(ISO8601.formatUTC))
        }.fragment
    }
}

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

/// The argument of the commands about one customer.
enum CustomerArgument {
    static let argument = Argument("PHONE", .storedPhone, "the phone number of the customer")

    static let details =
        "Numbers are compared by their digits without leading zeros. So +49 30 1234567 is the same as "
        + "0049 30 1234567, but not as 030 1234567: if the customer has used both forms, run the "
        + "command for each."

}

extension ValueKind<String> {
    /// A phone number that may be stored, as its digits without leading zeros. Earlier versions also
    /// stored those of only zeros.
    fileprivate static let storedPhone = ValueKind(
        "PHONE",
        "must be a phone number of 5 to 15 digits"
    ) { text in
        BookingRules.hasPhoneForm(text) ? BookingRequest.caller(phone: text) : nil
    }
}
