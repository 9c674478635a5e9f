import BookingStorage
import Contract
import Domain
import HTTPServing
import WebPrimitives

extension SlotRequest {
    /// Reads the slots that a client asks for.
    init(_ call: RouteCall) throws(Problem) {
        let start = try call.time("start")
        let end = try call.time("end")
        let seconds = end.instant.seconds(since: start.instant)
        guard (0...Schedule.maximumRangeSeconds).contains(seconds) else {
            throw Problem(.invalidRange, "end must be 0 to 31 days after start")
        }
        let (request, query) = (call.request, call.request.query)
        let (seats, flag) = ("must be an integer", "must be true or false")
        let options = BookingOptions(
            serviceID: query["serviceId"],
            staffID: query["staffId"],
            seats: try request.parameter("seats", .invalidBooking, seats) { Int($0) } ?? 1
        ).withCanonicalIDs
        let isExplained = try request.parameter("explain", .invalidBooking, flag) { Bool($0) }
        let isAssigned = try request.parameter("assign", .invalidBooking, flag) { Bool($0) }
        self.init(
            salonID: try call.salonID(),
            start: start,
            end: end,
            options: options,
            movedID: query["appointmentId"]?.canonicalID,
            isExplained: isExplained ?? false,
            isAssigned: isAssigned ?? false
        )
    }

    /// The query for the rest of the slots. It keeps the UTC offset of the start, because a salon
    /// without a time zone is open at that offset.
    func query(from instant: Timestamp) -> String {
        var rest = self
        rest.start = AppointmentTime(instant: instant, offsetMinutes: start.offsetMinutes)
        rest.isAssigned = false
        return SlotQueryCodec.parameters(of: rest).map { "\($0)=\($1.percentEncoded)" }
            .joined(separator: "&")
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
