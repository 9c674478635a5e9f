import BackendKit
import CommandLineKit
import Domain
import Glibc
import HTTPServing
import PostgreSQLStorage
import SystemSupport
import WebPrimitives

/// The command `serve`: serves HTTP until a termination signal arrives.
enum ServeCommand {
    static let command = Command(
        "serve",
        "serve salons, bookings, and other lists over HTTP",
        details: [
            "The first line of output is the address. SIGTERM or Ctrl-C finishes the requests in "
                + "progress and exits. SIGHUP opens the log file again and rereads the tokens.",
            "As long as the database has no tokens, only programs on this machine are served. To serve "
                + "others, create a token with `novablend-backend tokens create`, and name the proxy "
                + "that adds TLS with --trusted-proxy.",
            "Routes: \(routes). GET /openapi.json describes them.",
        ],
        optionGroups: [options, DatabaseOption.group],
        examples: [
            .init("novablend-backend serve --port 8080", "serve the default database"),
            .init("novablend-backend --database :memory:", "keep nothing after it exits"),
        ],
        run: run
    )

    private static let routes = Backend.routes().map { route in
        "\(route.path) (\(route.methods.joined(separator: ", ")))"
    }.joined(separator: ", ")

    static let host = Option(
        "host",
        .ipAddress,
        "the IP address to listen on (default: \(defaultHost))"
    )
    static let defaultHost = "127.0.0.1"
    static let port = Option(
        "port",
        .integer(0...UInt16.max, "PORT"),
        "the port to listen on, or 0 for any free port (default: \(defaultPort))"
    )
    static let defaultPort: UInt16 = 8_080

    private static let publicURL = Option(
        "public-url",
        .baseURL,
        "the URL that clients use, if there is a proxy; its path is removed from requests"
    )
    private static let trustedProxy = Option(
        "trusted-proxy",
        .networks,
        "the proxies whose Forwarded and X-Forwarded-* fields are believed"
    )
    private static let rateLimit = Option(
        "rate-limit",
        .integer(0...1_000_000, "N"),
        "the requests per second of each token, and of each address that sends no valid token, "
            + "where tokens are required; 0 for any number (default: "
            + "\(Backend.defaultRateLimit))"
    )
    private static let maximumActive = Option(
        "max-active-per-customer",
        .integer(1...1_000_000, "N"),
        "the active appointments that each customer may have at all salons together (default: any "
            + "number)"
    )
    private static let maximumPerDay = Option(
        "max-per-day-per-customer",
        .integer(1...1_000_000, "N"),
        "the appointments that each customer may book at all salons together within 24 hours "
            + "(default: any number)"
    )
    private static let databaseConnections = Option(
        "database-connections",
        .integer(1...1_000, "N"),
        "the maximum number of connections to a PostgreSQL database (default: "
            + "\(PostgreSQLBookingStore.defaultConnections))"
    )
    private static let metrics = Option(
        "metrics",
        .loopbackAddress,
        "serve /metrics for Prometheus on this address (default: nowhere)"
    )
    private static let shutdownDelay = Option(
        "shutdown-delay",
        .integer(0...UInt32(300), "SECONDS"),
        "after SIGTERM, how long to serve while /health/ready is 503 (default: 0)"
    )
    private static let retainDays = Option(
        "retain-days",
        .integer(1...36_500, "N"),
        "once a day, delete appointments that ended more than N days ago (default: never)"
    )
    private static let log = Option(
        "log",
        .choice(LogFormat.self),
        "the format of the log (default: text)"
    )
    private static let logFile = Option(
        "log-file",
        .file,
        "append the log to this file (default: standard error)"
    )
    private static let logRequests = Option(
        "log-requests",
        "also log each request: its route and result, and the ids of request and trace"
    )
    static let exitWithInput = Option("exit-with-input", "exit when standard input ends")

    private static let options = OptionGroup(
        "Server",
        [
            host, port, publicURL, trustedProxy, rateLimit, maximumActive, maximumPerDay,
            databaseConnections, metrics, shutdownDelay, retainDays, log, logFile, logRequests,
            exitWithInput,
        ]
    )

    /// Longer than the server needs for the requests in progress.
    private static let maximumDrainSeconds = 20

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        let host = invocation[host] ?? defaultHost
        DescriptorLimit.raise()
        let format = invocation[log] ?? .text
        var file: LogFile?
        if let path = invocation[logFile] { file = try LogFile(path, invocation) }
        // Requests are answered even if no one reads the log.
        let diagnostics = DiagnosticOutput(
            file?.descriptor ?? STDERR_FILENO,
            maximumBytes: 256 << 10
        ) { count in
            let reason = "\(count) entries were dropped, because the log was not read"
            return line(for: .message(reason, .warning), in: format)
        }
        defer { diagnostics.flush(atMost: .seconds(1)) }
        let write = { @Sendable (entry: LogEntry) in
            diagnostics.write(line(for: entry, in: format))
        }
        // A signal that arrives before the server has started is handled afterward.
        let (hangUps, hangUp) = AsyncStream.makeStream(of: Void.self)
        let hadTerminal = hasTerminal
        TerminationSignals.onHangUp { hangUp.yield() }
        let backend = try start(invocation, host, log: write)
        let reloading = Task { [file] in
            for await _ in hangUps {
                if hadTerminal, !hasTerminal { kill(getpid(), SIGTERM) }
                reload(backend, file, write)
            }
        }
        defer { reloading.cancel() }
        // The server stops on the thread of the signal, because stopping waits for requests.
        let (stopped, continuation) = AsyncStream<Never>.makeStream()
        let delay = invocation[shutdownDelay] ?? 0
        let manager = ServiceManager.current
        TerminationSignals.onFirst {
            manager.reportStopping(seconds: Int(delay) + maximumDrainSeconds)
            backend.prepareToStop()
            // Proxies need some time to notice that the backend is not ready anymore.
            sleep(delay)
            backend.stop()
            continuation.finish()
        }
        if invocation.has(exitWithInput) { try terminateAtEndOfInput() }
        var lines = ["listening on http://\(HTTPServer.authority(host, backend.port))"]
        if let address = invocation[metrics], let port = backend.metricsPort {
            lines.append("metrics at http://\(HTTPServer.authority(address.host, port))/metrics")
        }
        try terminal.print(lines)
        manager.reportReady(status: lines.joined(separator: ", "))
        for await _ in stopped {}
        return .success
    }

    /// What SIGHUP does.
    private static func reload(
        _ backend: Backend,
        _ file: LogFile?,
        _ log: (LogEntry) -> Void
    ) {
        backend.rereadTokens()
        do {
            try file?.reopen()
            log(.message("reloaded after SIGHUP", .info))
        } catch {
            log(.message(error.message))
        }
    }

    /// Whether a terminal controls this process. When that is closed, SIGHUP means the end.
    private static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }

    private static func start(
        _ invocation: Invocation,
        _ host: String,
        log: @escaping @Sendable (LogEntry) -> Void
    ) throws(CommandError) -> Backend {
        let database = try DatabaseOption.newLocation(invocation, allowsMemory: true)
        do {
            return try Backend(
                database: database.text,
                databaseConnections: invocation[databaseConnections]
                    ?? PostgreSQLBookingStore.defaultConnections,
                host: host,
                port: invocation[port] ?? defaultPort,
                metrics: invocation[metrics],
                retainDays: invocation[retainDays],
                publicAddress: PublicAddress(
                    publicURL: invocation[publicURL],
                    trustedProxies: invocation[trustedProxy] ?? []
                ),
                rateLimit: invocation[rateLimit] ?? Backend.defaultRateLimit,
                customerLimits: CustomerLimits(
                    active: invocation[maximumActive],
                    perDay: invocation[maximumPerDay]
                ),
                logsRequests: invocation.has(logRequests),
                log: log
            )
        } catch {
            throw CommandError(.failure, error.description)
        }
    }

    /// The line of an entry, which is safe to show on a terminal.
    private static func line(for entry: LogEntry, in format: LogFormat) -> String {
        let line = format.line(for: entry)
        return switch format {
        case .text: "novablend-backend: \(SafeText.line(line))"
        case .json: String(decoding: SafeText.json(Array(line.utf8)), as: UTF8.self)
        }
    }

    /// Sends this process SIGTERM when standard input ends, because then the parent process has
    /// exited.
    private static func terminateAtEndOfInput() throws(CommandError) {
        do {
            try SystemThread.start {
                var byte: UInt8 = 0
                var count = 1
                while count > 0 || (count < 0 && errno == EINTR) {
                    count = read(STDIN_FILENO, &byte, 1)
                }
                kill(getpid(), SIGTERM)
            }
        } catch {
            throw CommandError(
                .failure,
                "cannot start a thread that reads standard input: \(error)"
            )
        }
    }
}
