import CommandLineKit
import Glibc

/// The option `--database`, which all commands share that use a database.
enum DatabaseOption {
    static let group = OptionGroup(
        "Database",
        [
            Option(
                "database",
                .file,
                "the file of the database (default: $XDG_DATA_HOME/novablend/backend.sqlite)"
            )
        ]
    )

    /// The path of the database. Creates the directory of the default database, with access for
    /// this user only.
    static func path(_ invocation: Invocation) throws(CommandError) -> String {
        if let path = invocation.option("database") { return path }
        guard let directory = BaseDirectory.data.path(for: "novablend") else {
            throw CommandError(
                .configuration,
                "neither HOME nor XDG_DATA_HOME is set; choose a file with --database"
            )
        }
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o700)
        }
        return path + "/backend.sqlite"
    }
}
