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
            .argument(
                "SALON",
                .salon,
                isRequired: false,
                sets: "salonId",
                "the salon's id, or text that matches only one salon"
            ),
            .argument(
                "TIME",
                .time,
                isRequired: false,
                sets: "appointmentTime",
                "a time from novablend slots, or a local time of the salon such as 'tomorrow 9:00'"
            ),
            .option("phone", .text("PHONE"), "the customer's phone number"),
            .service, .staffMember, .seats,
            .option(
                "hold",
                .text("ID"),
                sets: "holdId",
                "the hold to convert, from novablend hold. It states what is left out. Without a hold, "
                    + "SALON, TIME, and --phone are required"
            ),
            .option("email", .text("EMAIL"), "the customer's email address"),
            .option("notes", .text("TEXT"), "a note for the salon"),
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
        call: .init(
            AppointmentMethods.book,
            view: AppointmentViews.change("Booked", inDryRun: "Would be booked")
        )
    )

    static let reschedule = MethodCommand(
        name: "reschedule",
        summary: "move an appointment to a different time",
        details: [
            "The appointment keeps its service, its number of seats, and the staff member whom the "
                + "customer chose. --with anyone lets the server choose the staff member."
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
            .init("novablend reschedule ID 'tomorrow 11:00'", "move an appointment"),
            .init(
                "novablend reschedule ID 2026-11-24T14:30 --version 1",
                "move it unless it has changed since version 1"
            ),
        ],
        call: .init(
            AppointmentMethods.reschedule,
            view: AppointmentViews.change("Moved", inDryRun: "Would be moved")
        )
    )

    static let cancel = MethodCommand(
        name: "cancel",
        summary: "cancel an appointment",
        details: [
            "The command asks for confirmation on a terminal. Without a terminal, it requires "
                + "--yes."
        ],
        inputs: [.appointment, .version, .key, .dryRun],
        examples: [
            .init("novablend cancel ID", "cancel, after confirmation"),
            .init("novablend cancel ID --yes --json", "in a script"),
        ],
        call: .init(
            AppointmentMethods.cancel,
            view: AppointmentViews.change("Cancelled", inDryRun: "Would be cancelled")
        ),
        requiresConfirmation: true
    )

    static let resolve = MethodCommand(
        name: "resolve",
        summary: "find out what happened to bookings that got no response",
        details: [
            "The command does not send bookings again. A booking that the server does not list "
                + "stays in doubt for three minutes after the last attempt. Then it is reported as not "
                + "found. If it appears later, resolve reports that.",
            "--discard abandons a booking. If the server can void its key, the booking cannot be "
                + "made later.",
        ],
        inputs: [
            .option(
                "key",
                .text("KEY"),
                sets: "idempotencyKey",
                "report only the booking with this key, with its outcome and what became of it since"
            ),
            .option("discard", .text("KEY"), "abandon the booking with this key"),
        ],
        examples: [
            .init("novablend resolve", "look up bookings in doubt"),
            .init("novablend resolve --key KEY", "what became of one booking"),
            .init("novablend resolve --discard KEY", "abandon one of them"),
        ],
        call: .init(AppointmentMethods.resolve, view: AppointmentViews.resolutions)
    )
}

extension MethodCommand {
    static let hold = MethodCommand(
        name: "hold",
        summary: "hold a time for a few minutes, so that no one else can book it",
        details: [
            "The command prints the id of the hold. To book the time, pass the id to "
                + "novablend book --hold. A hold ends by itself. Few servers support holds."
        ],
        inputs: [
            .salon(sets: "salonId"), .time, .phone, .service, .staffMember, .seats,
            .option(
                "minutes",
                .integer(1...15),
                "how long to hold the time (default: what the server grants, such as 5)"
            ),
            .key, .dryRun,
        ],
        examples: [
            .init("novablend hold Sol 'tomorrow 12:30' --phone 0155501020", "hold a time"),
            .init(
                "novablend book --hold ID",
                "book the time that is held"
            ),
        ],
        call: .init(AppointmentMethods.hold, view: HoldViews.held)
    )

    static let release = MethodCommand(
        name: "release",
        summary: "release a hold",
        inputs: [
            .argument("ID", .text("ID"), sets: "holdId", "the hold's id, from novablend hold"),
            .dryRun,
        ],
        examples: [.init("novablend release ID", "others can book the time again")],
        call: .init(AppointmentMethods.release, view: HoldViews.released)
    )
}
