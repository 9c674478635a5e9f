import CommandLineKit
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

    private static func hours(of salon: JSONObject) -> String {
        guard let opens = time(salon["open_time"]), let closes = time(salon["close_time"]) else {
            return ""
        }
        return opens == closes ? "00:00-24:00" : "\(opens)-\(closes)"
    }

    /// Formats the contract's number for a time: 9.3 becomes 09:30.
    private static func time(_ value: JSONValue?) -> String? {
        guard let number = try? value?.number(), number >= 0, number < 100 else { return nil }
        let hundredths = Int((number * 100).rounded())
        let (hour, minute) = (hundredths / 100, hundredths % 100)
        return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
    }
}
