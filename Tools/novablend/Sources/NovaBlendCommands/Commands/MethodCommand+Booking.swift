import CommandLineKit

extension MethodCommand {
    static let book = MethodCommand(
        name: "book",
        summary: "book an appointment",
        details: [
            "The intent is stored before anything is sent. If no answer arrives, the booking is in "
                + "doubt, and resolve finds out what happened. With the same --key it is never "
                + "booked twice."
        ],
        inputs: [
            .salon(sets: "salonId"), .time,
            .option(
                "phone",
                .text("PHONE"),
                isRequired: true,
                sets: "phone",
                "the customer's phone"
            ),
            .option("email", .text("EMAIL"), sets: "email", "the customer's email"),
            .option("notes", .text("TEXT"), sets: "notes", "what the salon should know"),
            .key, .dryRun,
        ],
        examples: [
            .init(
                "novablend book Scherenschnitt 'tomorrow 10:30' --phone '+49 30 1234567'",
                "book"
            ),
            .init(
                "novablend book 'Atelier Nova' 2026-11-24T14:30 --phone 0155501020 --dry-run",
                "only see what would happen"
            ),
        ],
        methods: ["appointments/book"],
        view: AppointmentViews.change("Booked", inDryRun: "Would be booked")
    )

    static let reschedule = MethodCommand(
        name: "reschedule",
        summary: "move an appointment to a different time",
        inputs: [.appointment, .time, .version, .key, .dryRun],
        examples: [
            .init("novablend reschedule ID 'tomorrow 11:00'", "move it"),
            .init(
                "novablend reschedule ID 2026-11-24T14:30 --version 1",
                "move it unless it was changed"
            ),
        ],
        methods: ["appointments/reschedule"],
        view: AppointmentViews.change("Moved", inDryRun: "Would be moved")
    )

    static let cancel = MethodCommand(
        name: "cancel",
        summary: "cancel an appointment",
        details: ["It asks for confirmation on a terminal. Elsewhere it requires --yes."],
        inputs: [.appointment, .version, .key, .dryRun],
        examples: [
            .init("novablend cancel ID", "cancel, after confirmation"),
            .init("novablend cancel ID --yes --json", "in a script"),
        ],
        methods: ["appointments/cancel"],
        requiresConfirmation: true,
        view: AppointmentViews.change("Cancelled", inDryRun: "Would be cancelled")
    )

    static let resolve = MethodCommand(
        name: "resolve",
        summary: "find out what happened to bookings without an answer",
        details: [
            "Nothing is sent again. A booking that the server does not show is in doubt for three "
                + "minutes after the last attempt, and then not found; if it appears later, "
                + "resolve reports it.",
            "--discard gives a booking up. If the server can void its key, it is certainly not "
                + "booked.",
        ],
        inputs: [
            .option(
                "discard",
                .text("KEY"),
                sets: "discard",
                "end the doubt about the booking with this key"
            )
        ],
        examples: [
            .init("novablend resolve", "look up bookings in doubt"),
            .init("novablend resolve --discard KEY", "give one booking up"),
        ],
        methods: ["appointments/resolve"],
        view: AppointmentViews.resolutions
    )
}
