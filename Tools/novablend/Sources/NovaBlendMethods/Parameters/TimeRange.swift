import Contract
import Domain
import JSONRPC

/// The parameters `start`, `end`, and `days` of a call: a range of times.
struct TimeRange {
    /// The start of the range, a time or a day; nil for the method's default.
    let start: RangeBound?
    /// The exclusive end of the range; nil for the method's default.
    let end: RangeBound?

    static let parameters: [Method.Parameter] = [
        .time("start", "time or date, by default on the salon's clock", kind: .timeOrDate),
        .time("end", "exclusive end; a date includes that day", kind: .timeOrDate),
        days,
    ]

    private static let days = {
        var days = Method.Parameter(
            "days",
            "number of days, instead of end; start is a date then, or today",
            .positive
        )
        // Agents that fill in every parameter would fill in the minimum.
        days.agentUse.isUnlisted = true
        return days
    }()

    /// The largest number of days that a call can request: one year.
    private static let maximumDays = 366

    /// Reads the parameters; throws -32602 for invalid ones.
    init(_ params: Params) throws(RPCError) {
        let start = try params.read("start", RangeBoundCodec.readStart)
        let end = try params.read("end", RangeBoundCodec.readEnd)
        guard let days = try params.integer("days") else {
            (self.start, self.end) = (start, end)
            return
        }
        if end != nil { throw Self.invalid("and an end exclude each other") }
        guard (1...Self.maximumDays).contains(days) else {
            throw Self.invalid("must be 1 to \(Self.maximumDays)")
        }
        let first = start ?? .relativeDay(.today, daysLater: 0)
        guard let end = first.advanced(byDays: days) else {
            throw Self.invalid("needs a date without a time as \"start\"")
        }
        (self.start, self.end) = (first, end)
    }

    private static func invalid(_ reason: String) -> RPCError {
        .invalidParams("\"days\" \(reason)", parameter: "days")
    }
}

extension RangeBound {
    /// The day that is some days later; nil for a time.
    fileprivate func advanced(byDays days: Int) -> RangeBound? {
        switch self {
        case .time: nil
        case .day(let date): .day(date.advanced(byDays: days))
        case .relativeDay(let day, let later): .relativeDay(day, daysLater: later + days)
        }
    }
}
