import Glibc
import JSONRPC
import NovaBlendAccounts
import NovaBlendConfiguration
import NovaBlendEngine

/// Carries out `serve`.
struct Service: Sendable {
    let settings: Settings

    /// Serves until the end of input, and gives what to exit with. What is thrown is for people.
    func run() async throws -> Int32 {
        let output = try StandardOutput.claim()
        let sandbox = settings.isSandbox ? try Sandbox() : nil
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
        let resolving = Task {
            let open = await composition.resolveLeftovers()
            if open > 0 { log("\(open) bookings are in doubt; appointments/resolve tells more") }
        }
        let server = StdioServer(
            table: composition.methods,
            info: ServerInfo(name: "novablend", version: Version.current),
            input: STDIN_FILENO,
            output: output,
            framing: settings.framing,
            limits: settings.limits,
            trace: try trace(),
            log: log
        )
        TerminationSignals.onArrival { server.stop() }
        server.endWithParent()
        let ending = await server.run()
        resolving.cancel()
        return ending.exitCode
    }

    private func trace() throws -> StdioServer.Trace? {
        guard let path = settings.traceFile else { return nil }
        let file = try TraceFile(path: path)
        return { direction, message in file.note(direction, message) }
    }
}

/// Says a line on standard error.
@Sendable func log(_ line: String) {
    Terminal.say("novablend: \(SafeText.line(line))")
}
