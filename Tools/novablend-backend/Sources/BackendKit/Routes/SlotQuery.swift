import Contract
import Domain
import HTTPServing
import WebPrimitives

/// The slots that a client asks for.
struct SlotQuery {
    let start: AppointmentTime
    let end: AppointmentTime
    let options: BookingOptions
    let movedID: String?
    let isExplained: Bool

    init(_ call: RouteCall) throws(Problem) {
        start = try call.time("start")
        end = try call.time("end")
        let seconds = end.instant.seconds(since: start.instant)
        guard (0...Schedule.maximumRangeSeconds).contains(seconds) else {
            throw Problem(.invalidRange, "end must be 0 to 31 days after start")
        }
        let (seats, query) = ("must be an integer", call.request.query)
        options = BookingOptions(
            serviceID: query["serviceId"],
            staffID: query["staffId"],
            seats: try call.request.parameter("seats", .invalidBooking, seats) { Int($0) } ?? 1
        )
        movedID = query["appointmentId"]
        let flag = "must be true or false"
        isExplained =
            try call.request.parameter("explain", .invalidBooking, flag) { Bool($0) } ?? false
    }

    /// The query for the rest of the slots. It keeps the UTC offset of the start, because a salon
    /// without a time zone is open at that offset.
    func text(from instant: Timestamp) -> String {
        let rest = AppointmentTime(instant: instant, offsetMinutes: start.offsetMinutes)
        var items = [("start", ISO8601.format(rest)), ("end", ISO8601.format(end))]
        if let id = options.serviceID { items.append(("serviceId", id)) }
        if let id = options.staffID { items.append(("staffId", id)) }
        if options.seats != 1 { items.append(("seats", "\(options.seats)")) }
        if let movedID { items.append(("appointmentId", movedID)) }
        if isExplained { items.append(("explain", "true")) }
        return items.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
    }
}

extension RouteCall {
    /// A required time in the query.
    fileprivate func time(_ name: String) throws(Problem) -> AppointmentTime {
        let requirement = "must be an ISO 8601 time with an offset"
        let time = try request.parameter(name, .invalidRange, requirement) { text in
            // A plus that is not percent-encoded arrives as a space.
            ISO8601.parse(text) ?? ISO8601.parse(text.replacing(" ", with: "+"))
        }
        guard let time else { throw Problem(.invalidRange, "\(name) is required") }
        return time
    }
}
