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
            exampleFollows: [Self.book.name],
            appUse: .callable
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
            // Reading the journal takes time, so it is not read for callers who leave out the result.
            let own = fields.includes("own") ? own(among: page.elements.map { $0 }) : []
            let listed = page.elements.map { appointment in
                let id = appointment.booking.salonID
                return ListedAppointment(
                    view: AppointmentView(appointment, at: known[id], on: clocks[id]),
                    isOwn: own.contains(appointment)
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

    static let listed = ObjectSchema(
        AppointmentView.schema.properties + [
            .optional(
                "own",
                .boolean.defaulting { $0.bool(false) },
                "true if this program booked or moved it"
            )
        ]
    ).named("ListedAppointment")

    static let schema = ObjectSchema(
        [
            .init(
                AppointmentListCodec.name,
                FieldSelection.array(of: listed, selectedAs: "SelectedAppointment")
            )
        ] + Schemas.page + [Schemas.provenance]
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

/// An appointment in a list.
package struct ListedAppointment: Sendable {
    package let view: AppointmentView
    /// Whether this program booked or moved it; false if that was not asked for.
    package let isOwn: Bool

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            view.writeMembers(to: &writer)
            if isOwn { writer.member("own", true) }
        }
    }
}
