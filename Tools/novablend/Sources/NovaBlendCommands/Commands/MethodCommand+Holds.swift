import CommandLineKit
import NovaBlendMethods

extension MethodCommand {
    static let hold = MethodCommand(
        name: "hold",
        summary: "hold a time for a few minutes, so that no one else can book it",
        details: [
            "It prints the id of the hold. To book the time, pass the id to novablend book --hold, "
                + "with the same phone number. A hold ends by itself. Few servers allow this."
        ],
        inputs: [
            .salon(sets: "salonId"), .time, .phone, .service, .staffMember, .seats,
            .option(
                "minutes",
                .integer(1...15),
                sets: "minutes",
                "how long to hold the time (default: what the server grants, such as 5)"
            ),
            .key, .dryRun,
        ],
        examples: [
            .init("novablend hold Sol 'tomorrow 12:30' --phone 0155501020", "hold a time"),
            .init(
                "novablend book Sol 'tomorrow 12:30' --phone 0155501020 --hold ID",
                "book the time that is held"
            ),
        ],
        methods: [AppointmentMethods.hold],
        view: HoldViews.held
    )

    static let release = MethodCommand(
        name: "release",
        summary: "release a hold",
        inputs: [
            .argument("ID", .text("ID"), sets: "holdId", "the hold's id, from novablend hold"),
            .dryRun,
        ],
        examples: [.init("novablend release ID", "others can book the time again")],
        methods: [AppointmentMethods.release],
        view: HoldViews.released
    )
}
