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
            parameters: AppointmentFilter.parameters + FileParameter.all + [LoadReply.policy],
            result: .init("calendar", "the calendar, or the path of the file", schema: Self.reply),
            effect: .changes(destroys: true, isIdempotent: true),
            data: DataAccess(reads: ["salons", "appointments"], changes: ["files"]),
            errors: [],
            exampleFollows: [Self.book],
            confirmation: FileParameter.confirmation
        ) { [self] call throws(RPCError) in
            let filter = try await AppointmentFilter(call, salons)
            let target = try FileParameter.target(of: call.params)
            let isDryRun = try DryRun.isWanted(call.params)
            let loaded = try await LoadReply.load(loader, call)
            if target != nil { try LoadReply.requireSource(loaded.provenance) }
            let appointments = try await matching(loaded.value, filter, call)
            let events = await events(of: appointments, loaded.provenance)
            let calendar = CalendarWriter.write(
                events,
                productID: "-//NovaBlend//novablend \(version)//EN"
            )
            if let target, !isDryRun { try FileParameter.write(calendar, to: target) }
            return try Self.reply(
                calendar,
                events.count,
                loaded.provenance,
                file: call.params.string("file"),
                isDryRun
            )
        }
        method.determineEffect = { $0.params.value("file") == nil ? .reads : .changes }
        return method
    }

    private static let mediaType = "text/calendar"

    private static let reply = ObjectSchema([
        .init("mediaType", Schemas.oneOf([mediaType])),
        .init("count", Schemas.integer, "the number of appointments"),
        .init("calendar", Schemas.string, "absent with file", isRequired: false),
        .init("file", Schemas.string, "the path of the file", isRequired: false),
        DryRun.property,
        Schemas.provenance,
    ])

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

    private static func reply(
        _ calendar: [UInt8],
        _ count: Int,
        _ provenance: Provenance,
        file: String?,
        _ isDryRun: Bool
    ) -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            writer.member("mediaType", mediaType)
            writer.member("count", count)
            if let file {
                writer.member("file", file)
            } else {
                writer.member("calendar", String(decoding: calendar, as: UTF8.self))
            }
            LoadReply.write(provenance, to: &writer)
        }
    }
}
