import CommandLineKit

/// The option `--config`: a file with values for options that are not on the command line.
enum ConfigurationOption {
    /// The file of the service on this machine. With `--database`, a command is about a different
    /// database, so this file is not read.
    static let defaultPath = "/etc/novablend/backend.conf"

    static let option = Option(
        "config",
        .file,
        "a file with options (default: \(defaultPath) if it exists, unless --database is given)"
    )

    /// The options that a file can contain: the options of `serve`, because the file describes a
    /// server. A different command uses the ones that it has, too, and ignores the rest.
    static let configurable = ServeCommand.command.allOptions.filter {
        !["config", "help"].contains($0.name)
    }

    /// The command, which reads the file before it runs if it has the option.
    static func applied(to command: Command) -> Command {
        guard command.allOptions.contains(where: { $0.name == option.name }) else { return command }
        var configured = command
        configured.run = { invocation, terminal throws(CommandError) in
            try await command.run(withFile(invocation), terminal)
        }
        return configured
    }

    /// The invocation with the values of the file. The command line takes precedence.
    static func withFile(
        _ invocation: Invocation,
        defaultPath: String = defaultPath
    ) throws(CommandError) -> Invocation {
        let file = try ConfigurationFile.load(
            invocation[option],
            defaultPath: invocation.has(DatabaseOption.option) ? nil : defaultPath,
            schema: .init(options: configurable)
        )
        let values = try file.values(ofProfile: ConfigurationFile.defaultProfile)
        return invocation.withDefaults(values)
    }
}
