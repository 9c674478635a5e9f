import Domain
import JSONRPC

/// The times and the members of days that a call selects.
struct SlotSelection {
    static let parameters: [Method.Parameter] = [
        .init("limit", "how many start times to list at most", schema: Schemas.positive),
        .init("onlyFree", "true to leave out taken times", schema: Schemas.boolean),
        FieldSelection.parameter(of: DayView.schema, key: "date"),
    ]

    let fields: FieldSelection
    private let limit: Int?
    private let isOnlyFree: Bool

    /// Reads the parameters of a call; throws -32602 for invalid ones.
    init(_ call: Call) throws(RPCError) {
        limit = try CursorPage.limit(of: call)
        isOnlyFree = try call.params.bool("onlyFree") ?? false
        fields = try FieldSelection(call, of: DayView.schema, key: "date")
    }

    /// The days with the selected times up to the limit, and the start of the first time after it.
    func select(
        from days: [AvailableDay]
    ) -> (days: [AvailableDay], nextStart: AppointmentTime?) {
        var rest = limit ?? .max
        var selected: [AvailableDay] = []
        for day in days {
            var day = day
            if isOnlyFree { day.times.removeAll { $0.state == .taken || $0.state == .own } }
            if rest == 0, let next = day.times.first { return (selected, next.start) }
            if rest < day.times.count {
                let next = day.times[rest].start
                day.times.removeSubrange(rest...)
                return (selected + [day], next)
            }
            rest -= day.times.count
            selected.append(day)
        }
        return (selected, nil)
    }
}
