import Foundation
import SystemTestSupport

/// A salon for tests with many clients. It is open all day, and its clock shows UTC.
enum RaceSalon: String, CaseIterable, Sendable {
    /// A salon with three staff members, of whom Ben offers only the service "cut".
    case staffed = "7ace0000-0000-4000-8000-000000000001"
    /// A salon with four seats.
    case seated = "7ace0000-0000-4000-8000-000000000002"

    static let staff = ["ana", "ben", "cleo"]

    /// The length of each service and its buffers, in minutes.
    static let services = [
        "cut": (before: 0, minutes: 30, after: 10), "color": (before: 10, minutes: 60, after: 20),
    ]

    /// How many appointments can take place at the same time.
    var capacity: Int { self == .staffed ? Self.staff.count : 4 }

    /// The request that creates it.
    var creation: HTTPRequest {
        let services = Self.services.map { id, length in
            #"{"id":"\#(id)","name":"\#(id)","minutes":\#(length.minutes),"#
                + #""buffer_before":\#(length.before),"buffer_after":\#(length.after)}"#
        }
        let staff = Self.staff.map { id in
            #"{"id":"\#(id)","name":"\#(id)"\#(id == "ben" ? #","services":["cut"]"# : "")}"#
        }
        let resources =
            self == .staffed
            ? #""staff":[\#(staff.joined(separator: ","))]"# : #""seats":\#(capacity)"#
        let salon =
            #"{"id":"\#(rawValue)","name":"n","location":"l","open_time":0.00,"close_time":0.00,"#
            + #""slot_minutes":30,"services":[\#(services.joined(separator: ","))],\#(resources)}"#
        return .json("PUT", "/salons/\(rawValue)", salon, fields: "If-None-Match: *\r\n")
    }
}

/// What a client of a race wants to book.
struct RaceBooking: Sendable {
    var salon: RaceSalon
    /// The start, in minutes after the beginning of January 2, 2040, in UTC.
    var start: Int
    var serviceID: String?
    var staffID: String?
    var seats = 1

    /// The members of the JSON object of a booking.
    func members(phone: String) -> String {
        var members = #""salonId":"\#(salon.rawValue)","appointmentTime":"\#(Self.time(start))","#
        members += #""phone":"\#(phone)""#
        if let serviceID { members += #","serviceId":"\#(serviceID)""# }
        if let staffID { members += #","staffId":"\#(staffID)""# }
        if seats > 1 { members += #","seats":\#(seats)"# }
        return members
    }

    /// A booking at one of few times, so that clients often want the same one. Different rounds have
    /// different times.
    static func random(
        in round: Int,
        using generator: inout SeededGenerator
    ) -> RaceBooking {
        let salon = RaceSalon.allCases.randomElement(using: &generator) ?? .staffed
        var booking = RaceBooking(salon: salon, start: randomStart(in: round, using: &generator))
        booking.serviceID = ["cut", "color", nil].randomElement(using: &generator) ?? nil
        switch salon {
        case .seated: booking.seats = Int.random(in: 1...3, using: &generator)
        case .staffed:
            // Ben offers only one of the services.
            booking.staffID = ["ana", "cleo", nil].randomElement(using: &generator) ?? nil
        }
        return booking
    }

    /// One of twelve half hours on one of two days.
    static func randomStart(in round: Int, using generator: inout SeededGenerator) -> Int {
        (2 * round + Int.random(in: 0...1, using: &generator)) * 1_440 + 480
            + Int.random(in: 0..<12, using: &generator) * 30
    }

    private static let firstDay = Date(timeIntervalSince1970: 2_209_075_200)

    /// The text of a time, which is given in minutes after the beginning of January 2, 2040.
    static func time(_ minutes: Int) -> String {
        firstDay.addingTimeInterval(Double(minutes) * 60).formatted(.iso8601)
    }

    /// The inverse of `time(_:)`, for a text with any spelling of UTC.
    static func minutes(of time: String) throws -> Int {
        let date = try Date(String(time.prefix(19)) + "Z", strategy: .iso8601)
        return Int(date.timeIntervalSince(firstDay)) / 60
    }
}
