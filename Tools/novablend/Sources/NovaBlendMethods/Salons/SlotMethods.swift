import Contract
package import Domain
import JSON
package import JSONRPC
package import NovaBlendAdapters

/// The methods about slots.
package struct SlotMethods {
    private let makeSlots: @Sendable () -> ListSlots
    private let makeSalons: @Sendable () -> LoadedSalons

    /// The use case and the salons are made when a method is called, as in ``SalonMethods``.
    package init(
        _ slots: @escaping @autoclosure @Sendable () -> ListSlots,
        salons: @escaping @autoclosure @Sendable () -> LoadedSalons
    ) {
        (makeSlots, makeSalons) = (slots, salons)
    }

    package static let availability: MethodName<AvailabilityReply> = "salons/availability"
    private static let moved = "appointmentId"

    package var all: [Method] { [availability] }

    private var availability: Method {
        Method(
            Self.availability,
            "Lists a salon's free times by day, by default today's, for at most 31 days. Times past midnight belong "
                + "to the day on which the salon opened, and have their own date. To book one, pass its date and time "
                + "to \(AppointmentMethods.book) as appointmentTime (YYYY-MM-DDThh:mm); add the offset if timeZone is "
                + "absent.",
            title: "Show free slots",
            parameters: [
                SalonReference.parameter(isRequired: true)
            ] + TimeRange.parameters + [
                .time("explain", "a time to check: can it be booked, and if not, why?"),
                .init(Self.moved, "an appointment to move: its own time counts as free"),
            ] + BookingOptionParameters.all + SlotSelection.parameters,
            result: .init(
                "availability",
                "the times by day, and their source",
                schema: AvailabilityReply.schema
            ),
            data: DataAccess(reads: [SalonListCodec.name, AppointmentListCodec.name]),
            errors: ProgramError.loading + [.salonNotFound, .zoneUnknown],
            example: """
                {"salonId": "\(ExampleID.salon)", "start": "2027-03-02T10:30:00+01:00", \
                "end": "2027-03-02T12:30:00+01:00"}
                """,
            exampleFollows: [AppointmentMethods.book.name],
            appUse: .shown(in: .week)
        ) { [makeSlots, makeSalons] call in
            let selection = try SlotSelection(call)
            var request = try await Self.request(of: call.params, makeSalons())
            request.isExplained = selection.listsSlots
            call.report("looking for slots")
            return AvailabilityReply(try await makeSlots().list(request), selection)
        }
    }

    private static func request(
        of params: Params,
        _ salons: LoadedSalons
    ) async throws(RPCError) -> ListSlots.Request {
        let id = try await SalonReference.id(in: params, salons)
        let range = try TimeRange(params)
        guard let id else { throw .missing("salonId") }
        return ListSlots.Request(
            salonID: id,
            start: range.start,
            end: range.end,
            options: try BookingOptionParameters.options(of: params),
            explain: try params.read("explain", RequestedTimeCodec.read),
            movedID: try params.string(Self.moved)
        )
    }
}

/// The times and the members of days that a call selects.
struct SlotSelection {
    static let parameters: [Method.Parameter] = [
        .init("limit", "maximum number of start times", .positive),
        .init("onlyFree", "omit taken times", .boolean),
        FieldSelection.parameter(of: DayView.schema, key: "date"),
    ]

    let fields: FieldSelection
    /// Whether the days list their times as objects.
    var listsSlots: Bool { fields.names(DayView.slots) }
    private let limit: Int?
    private let onlyFree: Bool

    /// Reads the parameters of a call; throws -32602 for invalid ones.
    init(_ call: Call) throws(RPCError) {
        limit = try CursorPage.limit(of: call)
        onlyFree = try call.params.bool("onlyFree") ?? false
        fields = try FieldSelection(call, of: DayView.schema, key: "date")
    }

    /// The days with the selected times up to the limit, and the start of the first time after it.
    func select(
        from days: [AvailableDay]
    ) -> (days: [AvailableDay], nextStart: AppointmentTime?) {
        var remaining = limit ?? .max
        var selected: [AvailableDay] = []
        for day in days {
            var day = day
            if onlyFree { day.times.removeAll { $0.state == .taken || $0.state == .own } }
            if remaining == 0, let next = day.times.first { return (selected, next.start) }
            if remaining < day.times.count {
                let next = day.times[remaining].start
                day.times.removeSubrange(remaining...)
                return (selected + [day], next)
            }
            remaining -= day.times.count
            selected.append(day)
        }
        return (selected, nil)
    }
}
