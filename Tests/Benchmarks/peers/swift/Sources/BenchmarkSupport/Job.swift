/// What the command line requests. Its arguments are in `usage`.
public enum Job {
    /// Sends keep-alive GET requests.
    case get(url: String, concurrency: Int, count: Int)
    /// Downloads a body in chunks, `count` times in sequence.
    case download(url: String, count: Int)
    /// Uploads a file, `count` times in sequence.
    case upload(file: String, url: String, count: Int)
    /// Decodes a file into models.
    case decode(file: String, rounds: Int)
    /// Replaces a stored value durably.
    case replace(directory: String, bytes: Int, count: Int)
    /// Computes the slots of the first salon of a file in the week that begins at `start`, in seconds
    /// since 1970. `appointments` is a file with the appointments.
    case slots(salons: String, appointments: String, start: Int, rounds: Int)

    private static let usage = """
        get URL CONCURRENCY COUNT, download URL COUNT, upload FILE URL COUNT, decode FILE ROUNDS, \
        replace DIRECTORY BYTES COUNT, or slots SALONS APPOINTMENTS START ROUNDS
        """

    /// Parses the arguments of the process. Throws `Failure` if they are invalid.
    public init() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let numbers = arguments.dropFirst(2).compactMap { Int($0) }.filter { $0 > 0 }
        switch (arguments.first, numbers.count) {
        case ("slots", 2):
            self = .slots(
                salons: arguments[1],
                appointments: arguments[2],
                start: numbers[0],
                rounds: numbers[1]
            )
        case ("get", 2):
            self = .get(url: arguments[1], concurrency: numbers[0], count: numbers[1])
        case ("download", 1): self = .download(url: arguments[1], count: numbers[0])
        case ("upload", 1):
            self = .upload(file: arguments[1], url: arguments[2], count: numbers[0])
        case ("decode", 1): self = .decode(file: arguments[1], rounds: numbers[0])
        case ("replace", 2):
            self = .replace(directory: arguments[1], bytes: numbers[0], count: numbers[1])
        default:
            throw Failure(Self.usage)
        }
    }
}
