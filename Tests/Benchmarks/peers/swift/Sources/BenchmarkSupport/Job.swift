/// What the command line requests: `get URL CONCURRENCY COUNT`, `decode FILE ROUNDS`, or
/// `replace DIRECTORY BYTES COUNT`.
public enum Job {
    /// Sends keep-alive GET requests.
    case get(url: String, concurrency: Int, count: Int)
    /// Decodes a file into models.
    case decode(file: String, rounds: Int)
    /// Replaces a stored value durably.
    case replace(directory: String, bytes: Int, count: Int)

    /// Parses the arguments of the process. Throws `Failure` if they are invalid.
    public init() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let numbers = arguments.dropFirst(2).compactMap { Int($0) }.filter { $0 > 0 }
        switch (arguments.first, numbers.count) {
        case ("get", 2):
            self = .get(url: arguments[1], concurrency: numbers[0], count: numbers[1])
        case ("decode", 1): self = .decode(file: arguments[1], rounds: numbers[0])
        case ("replace", 2):
            self = .replace(directory: arguments[1], bytes: numbers[0], count: numbers[1])
        default:
            throw Failure(
                "get URL CONCURRENCY COUNT, decode FILE ROUNDS, or replace DIRECTORY BYTES COUNT"
            )
        }
    }
}
