import CommandLineKit
import JSON

@testable import NovaBlendCommands

/// The results from which the command `week` makes its table.
struct WeekFixture {
    private static let id = "5a100000-0000-4000-8000-000000000001"

    /// More members of the salon, as JSON.
    var salon = #""slot_minutes":60,"open_time":9,"close_time":18"#
    /// The salon's time zone; nil for none.
    var zone: String? = "Europe/Berlin"
    var now = "2026-11-23T08:00:00+01:00"
    private var availability: [String] = []
    private var appointments: [String] = []

    /// Adds the days of a result of `salons/availability`.
    mutating func add(
        staffID: String? = nil,
        offset: String? = "+01:00",
        slotMinutes: Int = 60,
        days: [String]
    ) {
        let staff = staffID.map { #""staffId":"\#($0)","# } ?? ""
        let offset = offset.map { #""offset":"\#($0)","# } ?? ""
        let zone = zone.map { #""timeZone":"\#($0)","# } ?? ""
        let list = days.joined(separator: ",")
        availability.append(
            #"{\#(staff)\#(offset)\#(zone)"now":"\#(now)","slotMinutes":\#(slotMinutes),"#
                + #""source":"server","days":[\#(list)]}"#
        )
    }

    /// Adds an appointment. The phone numbers are +49 30 1, +49 30 2, and so on.
    mutating func book(_ time: String, _ members: String) {
        let more = members.isEmpty ? "" : ",\(members)"
        appointments.append(
            #"{"salonId":"\#(Self.id)","appointmentTime":"\#(time)","#
                + #""phone":"+49 30 \#(appointments.count + 1)"\#(more)}"#
        )
    }

    func report() throws -> Report {
        let zone = zone.map { #","time_zone":"\#($0)""# } ?? ""
        let text =
            #"{"salon":{"id":"\#(Self.id)","name":"Sol","location":"Berlin"\#(zone),\#(salon)},"#
            + #""availability":[\#(availability.joined(separator: ","))],"#
            + #""appointments":[\#(appointments.joined(separator: ","))]}"#
        return WeekView.report(try JSONDocument(parsing: Array(text.utf8)).root.object())
    }
}

extension Report {
    /// The lines of the result on a terminal with `width` columns, or in a pipe if it is nil.
    func lines(width: Int? = nil, isColored: Bool = false) -> [String] {
        blocks.flatMap { $0.lines(width: width, isColored: isColored) }
    }
}
