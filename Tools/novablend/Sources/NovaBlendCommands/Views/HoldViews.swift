import CommandLineKit
import JSON

/// Shows a hold.
enum HoldViews {
    @Sendable static func held(_ result: MethodResult, _ context: MethodCommand.ViewContext) async
        -> Report
    {
        let object = result.object
        let when = object.child("when")
        let options = OptionTexts(object)
        return Report([
            .line(object.isTrue("dryRun") ? "Would be held" : "Held"),
            .fields([
                ("salon", object.child("salon")?.text("name")), ("time", when?.text("local")),
                ("end", options.end), ("day", when?.text("weekday")), ("zone", when?.text("zone")),
                ("service", options.service), ("staff", options.staff),
                ("id", object.text("holdId")),
                ("ends in", object.integer("secondsLeft").map(Age.text)),
                ("key", object.text("idempotencyKey")),
            ]),
        ])
    }

    @Sendable static func released(
        _ result: MethodResult,
        _ context: MethodCommand.ViewContext
    ) async -> Report {
        Report([.line(result.object.isTrue("dryRun") ? "Would be released" : "Released")])
    }
}
