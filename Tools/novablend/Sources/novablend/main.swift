import Glibc
import JSONRPC
import NovaBlendKit

@Sendable func log(_ line: String) {
    let bytes = Array("novablend: \(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

func serve(_ options: Options) async throws -> Int32 {
    let output = try StandardOutput.claim()
    let sandbox = options.isSandbox ? try Sandbox() : nil
    defer { sandbox?.stop() }
    if let sandbox { log("sandbox at \(sandbox.baseURL), process \(sandbox.processID)") }
    let configuration = try options.configuration(sandbox: sandbox)
    if configuration.endpoints == Configuration.Endpoints() {
        log(
            "no remote is configured: lists come from the cache and nothing can be booked; "
                + "start with --base-url URL, or with --sandbox to try it"
        )
    }
    let composition = Composition(configuration)
    let resolving = Task {
        let open = await composition.resolveLeftovers()
        if open > 0 { log("\(open) bookings are in doubt; appointments/resolve tells more") }
    }
    var trace: StdioServer.Trace?
    if let path = options.traceFile {
        let file = try TraceFile(path: path)
        trace = { direction, message in file.note(direction, message) }
    }
    let server = StdioServer(
        table: composition.methods,
        info: ServerInfo(name: "novablend", version: Version.current),
        input: STDIN_FILENO,
        output: output,
        framing: options.framing,
        limits: options.limits,
        trace: trace,
        log: log
    )
    TerminationSignals.onArrival { server.stop() }
    server.endWithParent()
    let ending = await server.run()
    resolving.cancel()
    return ending.exitCode
}

do {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    switch options.command {
    case .help: print(Options.help)
    case .version: print("novablend \(Version.current)")
    case .serve: exit(try await serve(options))
    }
} catch let wrong as Options.Wrong {
    log("\(wrong.text); see --help")
    exit(64)
} catch {
    log("\(error)")
    exit(1)
}
