extension Command {
    static let salons = Command(
        name: "salons",
        summary: "list salons",
        arguments: [
            Argument(
                name: "QUERY",
                kind: .text("QUERY"),
                parameter: "query",
                summary: "text that name or place contain, whatever its case and accents",
                isRequired: false
            )
        ],
        ownOptions: [
            Option("open-at", .time, parameter: "openAt", "only those that are open then"),
            .limit, .cursor, .policy,
        ],
        examples: [
            Example("novablend salons --sandbox", "try it with sample salons"),
            Example("novablend salons berlin --open-at 'tomorrow 10:30'", "who is open then"),
            Example("novablend salons --json --limit 5", "the same for a script"),
        ],
        action: .call(MethodCall("salons/list", show: SalonViews.list))
    )

    static let slots = Command(
        name: "slots",
        summary: "show when a salon is free",
        details: [
            "Without a day or a range it is the next 24 hours. A slot is booked by the time that "
                + "stands in its first column."
        ],
        arguments: [.salon("id")],
        ownOptions: [
            Option("day", .day, "today, tomorrow or a date, on the salon's clock"),
            Option("from", .time, parameter: "from", "where the range begins"),
            Option("to", .time, parameter: "to", "where it ends; a day after its beginning"),
            Option("explain", .time, parameter: "explain", "say which rule blocks this time"),
            Option("all", "show also what cannot be booked"),
        ],
        examples: [
            Example("novablend slots 'Atelier Nova' --day tomorrow", "what is free tomorrow"),
            Example("novablend slots Sol --explain '2026-12-25 12:00'", "why it cannot be then"),
        ],
        action: .call(
            MethodCall("salons/availability", prepare: SlotRange.prepare, show: SlotViews.list)
        )
    )
}

extension Argument {
    /// A salon, that becomes that parameter.
    static func salon(_ parameter: String) -> Argument {
        Argument(
            name: "SALON",
            kind: .salon,
            parameter: parameter,
            summary: "the salon's id, or a name that finds one salon alone"
        )
    }

    static let time = Argument(
        name: "TIME",
        kind: .time,
        parameter: "appointmentTime",
        summary: "as slots shows it, or like 'tomorrow 10:30' on the salon's clock"
    )

    static let appointment = Argument(
        name: "ID",
        kind: .appointment,
        parameter: "id",
        summary: "the appointment's id, as appointments shows it"
    )
}
