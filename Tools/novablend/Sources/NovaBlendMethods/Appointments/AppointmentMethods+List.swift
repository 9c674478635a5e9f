import Contract
import Domain
import JSON
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
                FieldSelection.parameter(of: Self.listed),
                LoadReply.policy,
            ],
            result: .init(
                "appointments",
                "the appointments and their provenance",
                schema: Self.listReply
            ),
            data: DataAccess(reads: ["salons", "appointments"]),
            errors: [],
            example: #"{"limit": 2}"#,
            exampleFollows: [Self.book]
        ) { [self] call throws(RPCError) in
            let filter = try await AppointmentFilter(call, salons)
            let paging = try AppointmentPage(call)
            let fields = try FieldSelection(call, of: Self.listed)
            let loaded = try await LoadReply.load(loader, call)
            let matching = try await matching(loaded.value, filter, call)
            let page = paging.page(of: matching)
            let salonIDs = Set(page.elements.map(\.booking.salonID))
            let known = await salons.shown(salonIDs, with: loaded.provenance)
            let clocks = known.compactMapValues { times.zonedClock(of: $0) }
            // Reading the journal takes time, so it is read only for callers who ask for it.
            let marksOwn = fields.names("own")
            let own = marksOwn ? own(among: page.elements.map { $0 }) : []
            return ObjectFragment { writer in
                writer.array("appointments") { writer in
                    for element in page.elements {
                        let id = element.booking.salonID
                        let isOwn = marksOwn ? own.contains(element) : nil
                        fields.write(to: &writer) {
                            Self.write(element, isOwn, known[id], clocks[id], to: &$0)
                        }
                    }
                }
                writer.member("total", page.total)
                writer.member("nextCursor", page.nextCursor)
                LoadReply.write(loaded.provenance, to: &writer)
            }
        }
    }

    /// A listed appointment. A caller may select members, so all of them are optional.
    private static let listed = ObjectSchema(
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

    private static let listReply = ObjectSchema(
        [.init("appointments", .array(of: .object(listed)))] + Schemas.page + [Schemas.provenance]
    )

    /// The appointments that match the filter of `call`. Salons are loaded if the filter needs their
    /// clocks, unless the policy is `cacheOnly`.
    func matching(
        _ appointments: [Appointment],
        _ filter: AppointmentFilter,
        _ call: Call
    ) async throws(RPCError) -> [Appointment] {
        let mayLoad = try LoadReply.strategy(of: call) != .cacheOnly
        return await filter.filter(appointments) { ids in
            let known = mayLoad ? await salons.known(ids) : salons.cached(ids)
            return known.compactMapValues { times.zonedClock(of: $0) }
        }
    }

    private func own(among appointments: [Appointment]) -> Set<Appointment> {
        Set(ownBookings.bookings(among: appointments).map(\.appointment))
    }

    private static func write(
        _ appointment: Appointment,
        _ isOwn: Bool?,
        _ salon: Salon?,
        _ clock: SalonClock?,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            AppointmentCodec.writeMembers(of: appointment, to: &writer)
            writer.member("salonName", salon?.name)
            ChosenOptions(appointment: appointment, salon: salon).writeMembers(to: &writer)
            if let clock {
                writer.member("when", TimeView(of: appointment, on: clock, at: salon).fragment)
            }
            writer.member("own", isOwn)
        }
    }
}
