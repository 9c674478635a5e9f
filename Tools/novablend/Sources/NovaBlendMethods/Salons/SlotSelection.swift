import Domain
import JSONRPC

/// The times and the members of days that a call selects.
struct SlotSelection {
    static let parameters: [Method.Parameter] = [
        .init("limit", "maximum number of start times", schema: Schemas.positive),
        .init("onlyFree", "omit taken times", schema: Schemas.boolean),
        FieldSelection.parameter(of: DayView.schema, key: "date"),
    ]

    let fields: FieldSelection
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
