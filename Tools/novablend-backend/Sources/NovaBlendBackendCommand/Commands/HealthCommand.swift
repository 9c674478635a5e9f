import BackendKit
import CommandLineKit
import Glibc
import HTTPServing
import SystemSupport

/// The command `health`: asks a running server whether it is ready.
enum HealthCommand {
    static let command = Command(
        "health",
        "ask the server on this machine whether it is ready",
        details: [
            "It is ready if it can read and change its database and is not about to stop. This is "
                + "for containers and monitors. The server's address is that of the configuration "
                + "file, of --host and --port, or the default of serve."
        ],
        options: [ServeCommand.host, ServeCommand.port, ConfigurationOption.option],
        examples: [.init("novablend-backend health --port 9000", "ask a server on this port")],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) throws(CommandError) -> ExitCode {
        let probe = HealthProbe(
            host: connected(invocation[ServeCommand.host] ?? ServeCommand.defaultHost),
            port: invocation[ServeCommand.port] ?? ServeCommand.defaultPort
        )
        guard probe.port > 0 else {
            throw CommandError.usage("--port must be the server's port", of: invocation)
        }
        let authority = HTTPServer.authority(probe.host, probe.port)
        let url = "http://\(authority)\(Backend.readinessPath)"
        try check(probe, url)
        try terminal.print(["ready"])
        return .success
    }

    /// The address to connect to for an address to listen on.
    static func connected(_ host: String) -> String {
        switch SocketAddress.withoutBrackets(host) {
        case "0.0.0.0", "localhost": "127.0.0.1"
        case "::": "::1"
        case let address: address
        }
    }

    private static func check(_ probe: HealthProbe, _ url: String) throws(CommandError) {
        let status: Int?
        do {
            status = try probe.status()
        } catch {
            let reason = error.code == EAGAIN ? "no response in time" : "\(error)"
            throw CommandError(.unavailable, "\(url): \(reason)")
        }
        switch status {
        case 200: return
        case 503:
            let reason = "the server is about to stop, or cannot use its database (503)"
            throw CommandError(.unavailable, "\(url): \(reason)")
        default:
            let response = status.map { "status \($0)" } ?? "a response that is not HTTP"
            throw CommandError(.unavailable, "\(url): \(response); is this novablend-backend?")
        }
    }
}
