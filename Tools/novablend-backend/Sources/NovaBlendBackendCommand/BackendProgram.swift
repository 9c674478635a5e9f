import CommandLineKit
import SystemSupport

/// The program `novablend-backend`.
enum BackendProgram {
    static let program = Program(
        name: "novablend-backend",
        version: BuildStamp.current.description,
        summary: "serve salons and store bookings",
        description: [
            "Results go to standard output, everything else to standard error."
        ],
        commands: commands,
        defaultCommand: ServeCommand.command.name,
        configurationFile: .init(
            ConfigurationOption.defaultPath,
            "Each line is key = value. A key is the name of an option of serve without its dashes. "
                + "The value of a flag is true or false. # begins a comment. The command line takes "
                + "precedence. The file is --config FILE or \(ConfigurationOption.defaultPath); "
                + "the latter is optional, and not read with --database."
        ),
        files: [
            .init(
                "$XDG_DATA_HOME/novablend/backend.sqlite",
                "The default database (~/.local/share/novablend/backend.sqlite)."
            )
        ],
        environment: [
            .init(
                "XDG_DATA_HOME",
                "absolute path of the directory for data; the default is ~/.local/share"
            ),
            .init("TZDIR", "the directory of time zones (default: /usr/share/zoneinfo)"),
        ],
        exitCodes: ExitCode.meanings,
        examples: [
            .init("novablend-backend", "serve the default database on port 8080"),
            .init("novablend-backend --port 0 --database :memory:", "try it without a file"),
        ]
    )

    private static let commands = [
        ServeCommand.command, HealthCommand.command, SalonsImportCommand.command,
        SalonsExportCommand.command,
        SalonsCheckCommand.command, MigrateCommand.command, BackupCommand.command,
        TokensCreateCommand.command, TokensListCommand.command, TokensRevokeCommand.command,
        AuditCommand.command, PruneCommand.command, CustomersExportCommand.command,
        CustomersEraseCommand.command,
        Program.completionsCommand(examples: [
            .init("source <(novablend-backend completions bash)", "in ~/.bashrc")
        ]),
        Program.manualCommand(examples: [.init("novablend-backend man | man -l -", "read it")]),
    ].map(ConfigurationOption.applied)
}
