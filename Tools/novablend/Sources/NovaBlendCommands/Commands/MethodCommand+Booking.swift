import CommandLineKit
import NovaBlendMethods

extension MethodCommand {
    static let book = MethodCommand(
        name: "book",
        summary: "book an appointment",
        details: [
            "The booking is recorded in a journal before it is sent. If no response arrives, it is "
                + "in doubt, and novablend resolve finds out what happened. A booking that is "
                + "repeated with the same --key is made only once."
        ],
        inputs: [
            .salon(sets: "salonId"), .time, .phone, .service, .staffMember, .seats,
            .option(
                "hold",
                .text("ID"),
                sets: "holdId",
                "the hold to convert, from novablend hold"
            ),
            .option("email", .text("EMAIL"), sets: "email", "the customer's email address"),
            .option("notes", .text("TEXT"), sets: "notes", "a note for the salon"),
            .key, .dryRun,
        ],
        examples: [
            .init(
                "novablend book Scherenschnitt 'tomorrow 10:30' --phone '+49 30 1234567'",
                "book for tomorrow"
            ),
            .init(
                "novablend book Sol 2026-11-24T14:30 --phone 0155501020 --service Color --with Ana",
                "choose a service and a staff member"
            ),
            .init(
                "novablend book 'Atelier Nova' 2026-11-24T14:30 --phone 0155501020 --dry-run",
                "show what would happen"
            ),
        ],
        methods: [AppointmentMethods.book],
        view: AppointmentViews.change("Booked", inDryRun: "Would be booked")
    )

    static let reschedule = MethodCommand(
        name: "reschedule",
        summary: "move an appointment to a different time",
        details: [
            "It keeps the service, the number of seats, and the staff member whom the customer chose. "
                + "--with anyone lets the server choose."
        ],
        inputs: [
            .appointment, .time, .service,
            .option(
                "with",
                .staffMember(anyone: "anyStaff"),
                sets: "staffId",
                "a different staff member, or anyone who is free"
            ), .seats, .version, .key, .dryRun,
        ],
        examples: [
            .init("novablend reschedule ID 'tomorrow 11:00'", "move it"),
            .init(
                "novablend reschedule ID 2026-11-24T14:30 --version 1",
                "move it unless it has changed"
            ),
        ],
        methods: [AppointmentMethods.reschedule],
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
        methods: [AppointmentMethods.cancel],
        requiresConfirmation: true,
        view: AppointmentViews.change("Cancelled", inDryRun: "Would be cancelled")
    )

    static let resolve = MethodCommand(
        name: "resolve",
        summary: "find out what happened to bookings that got no response",
        details: [
            "It does not send bookings again. A booking that the server does not list stays in "
                + "doubt for three minutes after the last attempt. Then it is reported as not "
                + "found. If it appears later, resolve reports that.",
            "--discard abandons a booking. If the server can void its key, the booking cannot be "
                + "made later.",
        ],
        inputs: [
            .option(
                "discard",
                .text("KEY"),
                sets: "discard",
                "abandon the booking with this key"
            )
        ],
        examples: [
            .init("novablend resolve", "look up bookings in doubt"),
            .init("novablend resolve --discard KEY", "abandon one of them"),
        ],
        methods: [AppointmentMethods.resolve],
        view: AppointmentViews.resolutions
    )
}
