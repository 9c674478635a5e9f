import CommandLineKit
import Contract
import Domain
import JSON

/// Shows everything about one salon: its hours, services, and staff.
enum SalonDetailsView {
    @Sendable static func show(_ result: MethodResult, _ context: MethodCommand.ViewContext) async
        -> Report
    {
        report(result.object)
    }

    static func report(_ result: JSONObject) -> Report {
        guard let object = result.child("salon"), let salon = try? SalonCodec.read(object.value)
        else { return Report(notes: ["no salon"]) }
        let found = FoundSalon(object)
        let tables = [
            ServiceViews.services(object.objects("services"), at: found),
            ServiceViews.staff(object.objects("staff"), at: found),
        ]
        return Report(
            [.line(salon.name), .fields(fields(of: salon))]
                + tables.filter { !$0.isEmpty }.flatMap { [.line(""), .table($0)] },
            notes: ResultNotes.provenance(of: result)
        )
    }

    private static func fields(of salon: Salon) -> [(String, String?)] {
        let hours = salon.hoursText.split(separator: "; ").map(String.init)
        let exceptions = salon.exceptions.sorted { $0.date < $1.date }.map { exception in
            "\(exception.date) \(exception.hours.text ?? "closed")"
        }
        return [("place", salon.location), ("phone", salon.phone)]
            + named("hours", hours) + named("except", exceptions)
            + [
                ("zone", salon.timeZone?.name),
                ("starts", salon.slotMinutes.map { "every \($0) minutes" }),
                (
                    "earliest",
                    salon.leadMinutes > 0
                        ? "\(salon.leadMinutes.counting("minute")) from now" : nil
                ),
                ("latest", salon.furthestDays.map { "\($0.counting("day")) from now" }),
                ("seats", salon.seats.map(String.init)), ("id", salon.id.description),
                ("version", salon.version.map(String.init)),
            ]
    }

    /// A field with several lines: only the first one has the name.
    private static func named(_ name: String, _ lines: [String]) -> [(String, String?)] {
        lines.enumerated().map { ($0 == 0 ? name : "", $1) }
    }
}
