import Foundation
import Networking
import SystemTestSupport

/// OpenSSL's server. It writes received data to its standard output, and sends its standard input.
final class TLSServer: Sendable {
    let port: UInt16
    let input: FileHandle
    let output: FileHandle
    private let process: pid_t
    private let authority: Authority

    var url: String { "https://127.0.0.1:\(port)" }

    /// Uses the certificate `server.pem`. With the option `-HTTP`, it serves files.
    init(_ authority: Authority, options: String) async throws {
        self.authority = authority
        let arguments = "s_server -accept 127.0.0.1:0 -cert server.pem -key server.key \(options)"
        let (input, output) = (try Command.Pipe.make(), try Command.Pipe.make())
        process = try Command.start(
            OpenSSL.path,
            arguments.split(separator: " ").map(String.init),
            in: authority.directory,
            input: input.readEnd,
            output: output.writeEnd
        )
        close(input.readEnd)
        close(output.writeEnd)
        self.input = FileHandle(fileDescriptor: input.writeEnd, closeOnDealloc: true)
        self.output = FileHandle(fileDescriptor: output.readEnd, closeOnDealloc: true)
        port = try await onThread { [output = self.output] in try Self.readPort(output) }
    }

    /// A response that leaves the connection open.
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Responds to ``request`` with exactly `response`.
    convenience init(_ authority: Authority, response: String, options: String = "") async throws {
        let file = authority.directory.appendingPathComponent("file")
        try response.write(to: file, atomically: true, encoding: .utf8)
        try await self.init(authority, options: "-HTTP " + options)
    }

    var request: HTTPRequest { HTTPRequest(method: .get, url: url + "/file") }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Reads the line `ACCEPT 127.0.0.1:12345`.
    private static func readPort(_ output: FileHandle) throws -> UInt16 {
        var text = ""
        while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
            let more = output.availableData
            guard !more.isEmpty else { throw POSIXError(.EPIPE) }
            text += String(decoding: more, as: UTF8.self)
        }
        let digits = text.split(separator: "ACCEPT ").last?.split(separator: ":").last
        guard let port = digits.flatMap({ UInt16($0.filter(\.isNumber)) }) else {
            throw POSIXError(.EPROTO)
        }
        return port
    }
}
