import CommandLineKit
import NovaBlendMethods

/// The commands that show or change one salon. They form a group.
extension MethodCommand {
    static let showSalon = MethodCommand(
        name: "salon show",
        summary: "show a salon with its hours, services, and staff",
        inputs: [.salon(sets: "id"), .policy],
        examples: [.init("novablend salon show 'Atelier Nova'", "everything about it")],
        call: .init(SalonMethods.get, view: SalonDetailsView.show)
    )

    static let putSalon = MethodCommand(
        name: "salon put",
        summary: "create or replace a salon",
        details: [
            "FILE contains the salon as a JSON object, with all its members; - reads standard "
                + "input. If it contains a version, the salon is replaced only if it still has that "
                + "version. Appointments that no longer fit remain booked and are listed. If the "
                + "time zone changes, --keep wallClock moves the future appointments to the same "
                + "local times. Few servers allow clients to change salons."
        ],
        inputs: [
            .salonFile, .salonVersion, .keep, .dryRun,
        ],
        examples: [
            .init("novablend salon put salon.json --dry-run", "show what would change"),
            .init(
                "novablend salon put salon.json --version 0",
                "create it, but never replace it"
            ),
        ],
        call: .init(SalonChangeMethods.put, view: SalonViews.change),
        prepare: SalonFile.read
    )

    static let deleteSalon = MethodCommand(
        name: "salon delete",
        summary: "delete a salon that has no appointments in the future",
        details: [
            "The command asks for confirmation on a terminal. Without a terminal, it requires "
                + "--yes. Few servers allow clients to delete salons."
        ],
        inputs: [.salon(sets: "salonId"), .salonVersion, .dryRun],
        examples: [
            .init("novablend salon delete 'Atelier Nova' --dry-run", "show what would happen"),
            .init("novablend salon delete ID --yes --json", "in a script"),
        ],
        call: .init(SalonChangeMethods.delete, view: SalonViews.change),
        requiresConfirmation: true
    )
}

extension MethodInput {
    static let salonFile = argument(
        "FILE",
        .file,
        "a file with the salon, or - for standard input"
    )
    fileprivate static let keep = option(
        "keep",
        .choice(["wallClock"]),
        "what the appointments keep if the time zone changes: wallClock for their local times "
            + "(default: their instants)"
    )
    fileprivate static let salonVersion = option(
        "version",
        .integer(0...Int.max),
        "make the change only if the salon still has this version; 0 means only if it does not "
            + "exist"
    )
}
