import Contract
package import Domain
import ICalendar
package import JSON
import JSONRPC
import NovaBlendAdapters

extension AppointmentMethods {
    /// Exports appointments as a calendar.
    var export: Method {
        var method = Method(
            Self.export,
            "Exports booked appointments as iCalendar data, or writes it to a file. Without status, "
                + "recently cancelled ones are included as such, so that calendars remove them. Phone "
                + "numbers and emails are omitted.",
            title: "Export appointments",
            parameters: AppointmentFilter.parameters + [Self.reminder] + FileOutput.parameters
                + [LoadReply.policy],
            result: .init(
                "calendar",
                "the calendar, or the path of the file",
                schema: CalendarReply.schema
            ),
            effect: .changes(destroys: true, isIdempotent: true),
            data: DataAccess(
                reads: [SalonListCodec.name, AppointmentListCodec.name],
                changes: ["files"]
            ),
            errors: [],
            exampleFollows: [Self.book.name],
            confirmation: { [ownFiles] params in
                try FileOutput.confirmation(before: params, protecting: ownFiles)
            }
        ) { [self] call in
            var filter = try await AppointmentFilter(call, salons)
            filter.includesRecentlyCancelled = try call.params.string("status") == nil
            let minutes = try Self.reminderMinutes(of: call)
            let file = try FileOutput(call.params, protecting: ownFiles)
            let loaded = try await LoadReply.load(loader, call)
            if file.isWanted { try LoadReply.requireSource(loaded.provenance) }
            let appointments = try await matching(loaded.value, filter, call)
            let events = await events(of: appointments, loaded.provenance, minutes)
            let calendar = CalendarWriter.write(
                events,
                productID: "-//NovaBlend//novablend \(version)//EN"
            )
            try file.write(calendar)
            return CalendarReply(
                calendar: String(decoding: calendar, as: UTF8.self),
                count: events.count,
                file: file,
                provenance: loaded.provenance
            )
        }
        method.determineEffect = FileOutput.effect
        return method
    }

    private static let reminder = Method.Parameter(
        "remind",
        "adds a reminder this long before each booked appointment: 30m, 2h, or 1d"
    )

    /// The maximum length of ``reminder``: 4 weeks, in minutes.
    private static let maximumReminder = 28 * 1_440

    /// Reads ``reminder``; nil if it is absent.
    private static func reminderMinutes(of call: Call) throws(RPCError) -> Int? {
        guard let text = try call.params.string(reminder.name) else { return nil }
        let units: [Character: Int] = ["m": 1, "h": 60, "d": 1_440]
        let digits = text.dropLast()
        if let unit = text.last.flatMap({ units[$0] }), digits.utf8.allSatisfy({ 48...57 ~= $0 }),
            let number = Int(digits), number > 0, number <= maximumReminder / unit
        {
            return number * unit
        }
        throw .invalidParams(
            "\"\(reminder.name)\" must be a number of minutes, hours, or days, such as 30m, 2h, or 1d, "
                + "and at most 28d",
            parameter: reminder.name
        )
    }

    private func events(
        of appointments: [Appointment],
        _ provenance: Provenance,
        _ reminderMinutes: Int?
    ) async -> [CalendarEvent] {
        let ids = Set(appointments.map(\.booking.salonID))
        let known = await salons.shown(ids, with: provenance)
        let stamp = provenance.fetchedAt ?? SystemClock().now
        let events = AppointmentPage.sorted(appointments).map { _, appointment in
            let salon = known[appointment.booking.salonID]
            return CalendarEvent(
                appointment,
                at: salon,
                stamp: stamp,
                reminderMinutes: reminderMinutes
            )
        }
        return CalendarEvent.withUniqueIDs(events)
    }
}

/// Appointments as a calendar, which was written to a file if the call names one.
package struct CalendarReply: Reply {
    static let schema = ObjectSchema(
        [
            .init("mediaType", .string(in: [mediaType])),
            .init("count", .integer, "the number of appointments"),
            .optional("calendar", .string, "absent with file"),
        ] + FileOutput.properties + [Schemas.provenance]
    )

    private static let mediaType = "text/calendar"

    package let calendar: String
    /// The number of appointments.
    package let count: Int
    fileprivate let file: FileOutput
    package let provenance: Provenance

    package var isDryRun: Bool { file.isDryRun }

    package func encode() -> ObjectFragment {
        file.reply(
            { writer in
                writer.member("mediaType", Self.mediaType)
                writer.member("count", count)
            },
            content: { $0.member("calendar", calendar) },
            provenance
        )
    }
}
