extension Command {
    static let book = Command(
        name: "book",
        summary: "book an appointment",
        details: [
            "It is booked once: the intent is written down before anything is sent. When no answer "
                + "comes, it is in doubt, and resolve finds out; with the same --key it is never "
                + "booked twice."
        ],
        arguments: [.salon("salonId"), .time],
        ownOptions: [
            Option(
                "phone",
                .text("PHONE"),
                isRequired: true,
                parameter: "phone",
                "the customer's phone"
            ),
            Option("email", .text("EMAIL"), parameter: "email", "the customer's email"),
            Option("notes", .text("TEXT"), parameter: "notes", "what the salon should know"),
            .key, .dryRun,
        ],
        examples: [
            Example(
                "novablend book Scherenschnitt 'tomorrow 10:30' --phone '+49 30 1234567'",
                "book"
            ),
            Example(
                "novablend book 'Atelier Nova' 2026-11-24T14:30 --phone 0155501020 --dry-run",
                "only see what would happen"
            ),
        ],
        action: .call(
            MethodCall(
                "appointments/book",
                show: AppointmentViews.change("Booked", ifDry: "Would be booked")
            )
        )
    )

    static let reschedule = Command(
        name: "reschedule",
        summary: "move an appointment to another time",
        arguments: [.appointment, .time],
        ownOptions: [.version, .key, .dryRun],
        examples: [
            Example("novablend reschedule ID 'tomorrow 11:00'", "move it"),
            Example("novablend reschedule ID 2026-11-24T14:30 --version 1", "if nobody else did"),
        ],
        action: .call(
            MethodCall(
                "appointments/reschedule",
                show: AppointmentViews.change("Moved", ifDry: "Would be moved")
            )
        )
    )

    static let cancel = Command(
        name: "cancel",
        summary: "cancel an appointment",
        details: [
            "On a terminal it asks before; where nobody can be asked it needs --yes."
        ],
        arguments: [.appointment],
        ownOptions: [.version, .key, .dryRun, .yes],
        examples: [
            Example("novablend cancel ID", "cancel, after a question"),
            Example("novablend cancel ID --yes --json", "in a script"),
        ],
        action: .call(
            MethodCall(
                "appointments/cancel",
                isConfirmed: true,
                show: AppointmentViews.change("Cancelled", ifDry: "Would be cancelled")
            )
        )
    )

    static let resolve = Command(
        name: "resolve",
        summary: "find out what became of bookings whose answer was never received",
        details: [
            "Nothing is sent again. What the server does not show is in doubt for three minutes after "
                + "the last attempt, and then not found; if it appears later, resolve reports it.",
            "--discard gives a booking up: if the server can void its key, it is surely not booked.",
        ],
        ownOptions: [
            Option(
                "discard",
                .text("KEY"),
                parameter: "discard",
                "end the doubt about the booking with this key"
            )
        ],
        examples: [
            Example("novablend resolve", "look for what is in doubt"),
            Example("novablend resolve --discard KEY", "give one booking up"),
        ],
        action: .call(MethodCall("appointments/resolve", show: AppointmentViews.resolutions))
    )
}
