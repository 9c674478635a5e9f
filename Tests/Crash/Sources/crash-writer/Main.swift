import CrashOperations
import Glibc

/// `crash-writer OPERATION DIRECTORY` runs one operation and prints its outcome with one `write`.
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let operation = StoreOperation(rawValue: arguments[1]) else {
            exit(64)
        }
        let outcome = Array(operation.outcome(in: arguments[2]).utf8)
        _ = write(STDOUT_FILENO, outcome, outcome.count)
    }
}
