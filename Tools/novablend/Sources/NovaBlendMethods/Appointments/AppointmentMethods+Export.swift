import Domain
import ICalendar
import JSON
import JSONRPC
import NovaBlendAdapters

extension AppointmentMethods {
    /// Exports appointments as a calendar.
    var export: Method {
        var method = Method(
            Self.export,
            "Exports booked appointments as iCalendar data, or writes it to a file. Phone numbers "
                + "and emails are omitted.",
            title: "Export appointments",
            parameters: AppointmentFilter.parameters + FileOutput.parameters + [LoadReply.policy],
            result: .init("calendar", "the calendar, or the path of the file", schema: Self.reply),
            effect: .changes(destroys: true, isIdempotent: true),
            data: DataAccess(reads: ["salons", "appointments"], changes: ["files"]),
            errors: [],
            exampleFollows: [Self.book],
            confirmation: FileOutput.confirmation
        ) { [self] call throws(RPCError) in
            let filter = try await AppointmentFilter(call, salons)
            let file = try FileOutput(call.params)
            let loaded = try await LoadReply.load(loader, call)
            if file.isWanted { try LoadReply.requireSource(loaded.provenance) }
            let appointments = try await matching(loaded.value, filter, call)
            let events = await events(of: appointments, loaded.provenance)
            let calendar = CalendarWriter.write(
                events,
                productID: "-//NovaBlend//novablend \(version)//EN"
            )
            try file.write(calendar)
            return file.reply(
                { writer in
                    writer.member("mediaType", Self.mediaType)
                    writer.member("count", events.count)
                },
                content: { $0.member("calendar", String(decoding: calendar, as: UTF8.self)) },
                loaded.provenance
            )
        }
        method.determineEffect = FileOutput.effect
        return method
    }

    private static let mediaType = "text/calendar"

    private static let reply = ObjectSchema(
        [
            .init("mediaType", .string(in: [mediaType])),
            .init("count", .integer, "the number of appointments"),
            .optional("calendar", .string, "absent with file"),
        ] + FileOutput.properties + [Schemas.provenance]
    )

    private func events(
        of appointments: [Appointment],
        _ provenance: Provenance
    ) async -> [CalendarEvent] {
        let ids = Set(appointments.map(\.booking.salonID))
        let known = await salons.shown(ids, with: provenance)
        let stamp = provenance.fetchedAt ?? SystemClock().now
        let events = AppointmentPage.sorted(appointments).map { _, appointment in
            let salon = known[appointment.booking.salonID]
            return CalendarEvent(appointment, at: salon, stamp: stamp)
        }
        return CalendarEvent.withUniqueIDs(events)
    }
}
