import BackendKit
import CommandLineKit
import Domain
import NovaBlendSalonFiles
import Zones

/// The command `salons check`: shows everything that is wrong with a file of salons.
enum SalonsCheckCommand {
    static let command = Command(
        "salons check",
        "show everything that is wrong with a file of salons",
        details: [
            "It needs no database. It shows every problem with its path, and for CSV with its line "
                + "and column. It also warns if nothing can be booked. It exits with 65 if there is an "
                + "error; a warning is not an error.",
            fileDetails,
        ],
        arguments: [fileArgument],
        examples: [.init("novablend-backend salons check salons.csv", "check before an import")],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) throws(CommandError) -> ExitCode {
        let path = try invocation.required(fileArgument)
        let bytes = try InputFile.read(path, terminal)
        let file = SalonFile(bytes, zones: ZoneDirectory(), today: today)
        let problems = file.problems.map { SafeText.line($0.description) }
        try terminal.print(problems + [summary(file)])
        return file.isValid ? .success : .invalidData
    }

    static let fileArgument = Argument("FILE", .file, "JSON or CSV, or - for standard input")

    static let fileDetails =
        "JSON is that of GET /salons. CSV in UTF-8 has the same names in its first line, and times "
        + "such as 09:30. docs/Backend.md describes both."

    /// The day in UTC, as the first one that can be booked.
    static var today: CalendarDate {
        LocalTime(SystemClock().now, offsetSeconds: 0).date
    }

    private static func summary(_ file: SalonFile) -> String {
        let errors = file.problems.count { $0.severity == .error }
        let warnings = file.problems.count - errors
        return [(file.salonCount, "salon"), (errors, "error"), (warnings, "warning")]
            .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }
}
