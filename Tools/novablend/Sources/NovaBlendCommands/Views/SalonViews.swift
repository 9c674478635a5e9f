import CommandLineKit
import Contract
import Domain
import JSON

/// Shows salons.
enum SalonViews {
    @Sendable static func list(_ result: MethodResult, _ context: MethodCommand.ViewContext) async
        -> Report
    {
        var table = TextTable([
            .init("NAME", isFlexible: true), .init("PLACE", isFlexible: true), .init("HOURS"),
            .init("ZONE", isFlexible: true), .init("PHONE"), .init("ID"),
        ])
        let salons = result.object.objects("salons")
        for salon in salons {
            table.add([
                salon.text("name"), salon.text("location"), hours(of: salon),
                salon.text("time_zone"), salon.text("phone"), salon.text("id"),
            ])
        }
        return Report(
            table,
            empty: "no salons",
            notes: [ResultNotes.page(salons.count, of: result.object)]
                + ResultNotes.provenance(of: result.object)
        )
    }

    /// Computed here, because long lists have no hours as text.
    private static func hours(of salon: JSONObject) -> String {
        guard let opens = time(salon["open_time"]), let closes = time(salon["close_time"]) else {
            return ""
        }
        return OpeningHours(opens: opens, closes: closes).description
    }

    private static func time(_ value: JSONValue?) -> TimeOfDay? {
        value.flatMap { try? TimeOfDayCodec.read($0) }
    }
}
