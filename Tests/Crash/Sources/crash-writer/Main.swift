import CrashWork
import Glibc

/// `crash-writer WORK DIRECTORY`: does one work, and says how it went in one write.
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let work = Work(rawValue: arguments[1]) else { exit(64) }
        let outcome = Array(work.outcome(in: arguments[2]).utf8)
        _ = write(STDOUT_FILENO, outcome, outcome.count)
    }
}
