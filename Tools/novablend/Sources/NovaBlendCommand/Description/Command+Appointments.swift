extension Command {
    static let appointments = Command(
        name: "appointments",
        summary: "show what was booked",
        details: [
            "With --ical they are printed as a calendar (RFC 5545), or written to a file, without "
                + "phones and emails."
        ],
        ownOptions: [
            Option("salon", .salon, parameter: "salonId", "only those at this salon"),
            Option("from", .time, parameter: "from", "only those from then on; a day is its start"),
            Option("to", .time, parameter: "to", "only those before then"),
            Option(
                "status",
                .choice(["booked", "cancelled", "all"]),
                parameter: "status",
                "only those that are so"
            ),
            .limit, .cursor, .policy,
            Option("ical", .file, isValueOptional: true, parameter: "file", "as a calendar"),
            Option("overwrite", parameter: "overwrite", "replace the file if it is there"),
            .dryRun,
        ],
        examples: [
            Example("novablend appointments --from today", "what is to come"),
            Example("novablend appointments --ical=salon.ics", "for a calendar program"),
        ],
        action: .call(
            MethodCall(
                ["appointments/list", "appointments/export"],
                choose: { $0.has("ical") ? "appointments/export" : "appointments/list" },
                { _, _, _ throws(CommandFailure) in },
                AppointmentViews.list
            )
        )
    )
}
