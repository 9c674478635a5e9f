import Contract
package import Domain
package import JSON
import JSONRPC
import NovaBlendAdapters

extension AppointmentMethods {
    var list: Method {
        Method(
            Self.list,
            "Lists booked appointments by time, from the server, or from the cache when offline.",
            title: "List appointments",
            parameters: AppointmentFilter.parameters + [
                CursorPage.limit,
                Cursor.parameter,
                FieldSelection.parameter(of: AppointmentListReply.listed),
                LoadReply.policy,
            ],
            result: .init(
                AppointmentListCodec.name,
                "the appointments and their provenance",
                schema: AppointmentListReply.schema
            ),
            data: DataAccess(reads: [SalonListCodec.name, AppointmentListCodec.name]),
            errors: [],
            example: #"{"limit": 2}"#,
            exampleFollows: [Self.book.name]
        ) { [self] call in
            let filter = try await AppointmentFilter(call, salons)
            let paging = try AppointmentPage(call)
            let fields = try FieldSelection(call, of: AppointmentListReply.listed)
            let loaded = try await LoadReply.load(loader, call)
            let matching = try await matching(loaded.value, filter, call)
            let page = paging.page(of: matching)
            let salonIDs = Set(page.elements.map(\.booking.salonID))
            let known = await salons.shown(salonIDs, with: loaded.provenance)
            let clocks = known.compactMapValues { times.zonedClock(of: $0) }
            // Reading the journal takes time, so it is read only for callers who ask for it.
            let marksOwn = fields.names("own")
            let own = marksOwn ? own(among: page.elements.map { $0 }) : []
            let listed = page.elements.map { appointment in
                ListedAppointment(
                    appointment: appointment,
                    salon: known[appointment.booking.salonID],
                    clock: clocks[appointment.booking.salonID],
                    isOwn: marksOwn ? own.contains(appointment) : nil
                )
            }
            return AppointmentListReply(
                appointments: listed,
                total: page.total,
                nextCursor: page.nextCursor,
                fields: fields,
                provenance: loaded.provenance
            )
        }
    }

    /// The appointments that match the filter of `call`. Salons are loaded if the filter needs their
    /// clocks, unless the policy is `cacheOnly`.
    func matching(
        _ appointments: [Appointment],
        _ filter: AppointmentFilter,
        _ call: Call
    ) async throws(RPCError) -> [Appointment] {
        let mayLoad = try LoadReply.strategy(of: call) != .cacheOnly
        func known(_ ids: Set<SalonID>) async -> [SalonID: Salon] {
            mayLoad ? await salons.known(ids) : salons.cached(ids)
        }
        return await filter.filter(
            appointments,
            salons: known,
            clocks: { ids in
                await known(ids).compactMapValues { times.zonedClock(of: $0) }
            }
        )
    }

    private func own(among appointments: [Appointment]) -> Set<Appointment> {
        Set(ownBookings.bookings(among: appointments).map(\.appointment))
    }
}

/// A page of the appointments, ordered by time.
package struct AppointmentListReply: Reply {
    package let appointments: [ListedAppointment]
    /// The number of appointments on all pages.
    package let total: Int
    /// The cursor of the next page; nil at the end.
    package let nextCursor: String?
    fileprivate let fields: FieldSelection
    package let provenance: Provenance

    /// A listed appointment. A caller may select members, so all of them are optional.
    static let listed = ObjectSchema(
        Schemas.appointment.properties.map {
            ObjectSchema.Property.optional($0.name, $0.schema, $0.summary)
        } + [
            .optional(
                "when",
                .object(TimeView.schema),
                "the time on the salon's clock, if its time zone is known"
            ),
            .optional("salonName", .string, "the salon's name, if the salon is known"),
        ] + ChosenOptions.properties + [
            .optional(
                "own",
                .boolean,
                "whether this program booked or moved it; only if fields names it"
            )
        ]
    ).named("ListedAppointment")

    static let schema = ObjectSchema(
        [.init(AppointmentListCodec.name, .array(of: .object(listed)))] + Schemas.page + [
            Schemas.provenance
        ]
    )

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writeAppointments(to: &writer)
            writer.member("total", total)
            writer.member("nextCursor", nextCursor)
            writeProvenance(to: &writer)
        }
    }

    /// Writes the member `appointments`.
    package func writeAppointments(to writer: inout JSONWriter) {
        writer.array(AppointmentListCodec.key) { writer in
            for appointment in appointments { fields.write(to: &writer, appointment.write) }
        }
    }

    /// Writes the member `provenance`.
    package func writeProvenance(to writer: inout JSONWriter) {
        LoadReply.write(provenance, to: &writer)
    }
}

/// An appointment in a list, with what is known about its salon.
package struct ListedAppointment: Sendable {
    package let appointment: Appointment
    /// The salon; nil if it is not known.
    package let salon: Salon?
    /// The clock of the salon's time zone; nil if it is not known.
    fileprivate let clock: SalonClock?
    /// Whether this program booked or moved it; nil if that was not asked for.
    package let isOwn: Bool?

    /// The time on the salon's clock; nil if its time zone is not known.
    package var when: TimeView? {
        clock.map { TimeView(of: appointment, on: $0, at: salon) }
    }

    package var chosen: ChosenOptions { ChosenOptions(appointment: appointment, salon: salon) }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            AppointmentCodec.writeMembers(of: appointment, to: &writer)
            writer.member("salonName", salon?.name)
            chosen.writeMembers(to: &writer)
            writer.member("when", when?.fragment)
            writer.member("own", isOwn)
        }
    }
}
