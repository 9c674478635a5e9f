import CommandLineKit
import Glibc
import JSONRPC
import NovaBlendAccounts
import NovaBlendConfiguration
import NovaBlendEngine
import NovaBlendMethods
import SystemSupport

/// The command `serve`: serves JSON-RPC and MCP until the end of input.
enum ServeCommand {
    static let command = Command(
        "serve",
        "serve JSON-RPC 2.0 and MCP",
        details: [
            "The program reads requests from standard input and writes responses to standard "
                + "output, one message per line, or with Content-Length headers. Without a connection, lists "
                + "come from the cache."
        ],
        options: ServerOptions.serving + ServerOptions.languageClient,
        optionGroups: [ServerOptions.group],
        examples: [
            .init(
                "echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(SalonMethods.list)\"}' "
                    + "| novablend serve --sandbox",
                "one request and its response"
            ),
            .init(
                "novablend serve --base-url https://salons.example",
                "for an editor or an agent"
            ),
            .init(
                "novablend serve --base-url https://salons.example --token-file ~/token",
                "for a server that requires a token"
            ),
        ],
        run: { invocation, _ throws(CommandError) in
            try ServerOptions.checkTransport(invocation)
            let settings = try Settings.load(invocation)
            let client = invocation[ServerOptions.clientProcessID]
            do {
                return ExitCode(rawValue: try await serve(settings, client: client))
            } catch let error as CommandError {
                throw error
            } catch {
                throw CommandError(.failure, "\(error)")
            }
        }
    )

    private static func serve(_ settings: Settings, client: Int32?) async throws -> Int32 {
        // A client that does not read standard error must still get its answers.
        let diagnostics = DiagnosticOutput(STDERR_FILENO) { count in
            "novablend: \(count) lines were dropped, because standard error was not read"
        }
        defer { diagnostics.flush(atMost: flushTimeout) }
        let log = { @Sendable (line: String) in
            diagnostics.write("novablend: \(SafeText.line(line))")
        }
        let output = try StandardOutput.claim()
        let sandbox = try Sandbox.requested(by: settings)
        defer { sandbox?.stop() }
        if let sandbox { log("sandbox at \(sandbox.baseURL), process \(sandbox.processID)") }
        let configuration = try settings.checkedConfiguration(sandbox: sandbox)
        if configuration.endpoints == Endpoints() {
            log(
                "no server is configured, so nothing can be listed or booked; "
                    + "start with --base-url URL, or with --sandbox to try it"
            )
        }
        let composition = Composition(configuration)
        let served = composition.makeServer(for: settings.agents)
        if let problem = served.toolProblem { throw settings.error(inTools: problem) }
        let cleaning = Task {
            repeat { composition.removeExpiredData() } while await pause(for: cleaningInterval)
        }
        let resolving = Task {
            let open = await composition.resolveLeftovers()
            if open > 0 {
                let bookings = open == 1 ? "1 booking is" : "\(open) bookings are"
                log("\(bookings) in doubt; see \(AppointmentMethods.resolve)")
            }
        }
        let trace = try await trace(settings, configuration, served.methods)
        defer { trace?.flush(atMost: flushTimeout) }
        let server = Connection(
            over: Transport(input: STDIN_FILENO, output: output),
            table: served.methods,
            info: ServerInfo(name: "novablend", version: BuildStamp.current.version),
            framing: settings.framing,
            limits: settings.limits,
            observer: trace,
            log: log,
            logDetail: { if settings.isVerbose { log($0) } }
        )
        TerminationSignals.onFirst { server.stop() }
        server.stopWhenParentExits()
        if let client { server.stopWhenExits(process: client) }
        let reason = await server.run()
        resolving.cancel()
        cleaning.cancel()
        return reason.exitCode
    }

    /// How often it is checked whether personal data has expired.
    private static let cleaningInterval = Duration.seconds(600)

    /// Waits; false if the task was cancelled meanwhile.
    private static func pause(for duration: Duration) async -> Bool {
        (try? await Task.sleep(for: duration)) != nil
    }

    /// How long the program waits for the readers of its diagnostics before it exits.
    private static let flushTimeout = Duration.milliseconds(500)

    private static func trace(
        _ settings: Settings,
        _ configuration: Configuration,
        _ methods: MethodTable
    ) async throws -> TraceFile? {
        guard let path = settings.traceFile else { return nil }
        let redaction = await TraceRedaction(describing: methods)
        return try TraceFile(
            path: path,
            redaction: redaction,
            protecting: configuration.ownFiles
        )
    }
}
