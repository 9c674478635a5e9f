import Foundation
import Networking

/// OpenSSL's own server: what it receives it writes to its output, what comes to its input it sends.
final class TLSServer: Sendable {
    let port: UInt16
    let input: FileHandle
    let output: FileHandle
    private let process: Process
    private let authority: Authority

    var url: String { "https://127.0.0.1:\(port)" }

    /// Serves with `server.pem`; `-HTTP` among the options makes it answer with files.
    init(_ authority: Authority, options: String) async throws {
        self.authority = authority
        let arguments = "s_server -accept 127.0.0.1:0 -cert server.pem -key server.key \(options)"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: OpenSSL.path)
        process.arguments = arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = authority.directory
        process.standardError = FileHandle.nullDevice
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        self.process = process
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
        port = try await onThread { [output = self.output] in
            try process.run()
            return try Self.readPort(output)
        }
    }

    /// A response that leaves the connection open.
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Answers ``request`` with `response`, as it is.
    convenience init(_ authority: Authority, response: String, options: String = "") async throws {
        let file = authority.directory.appendingPathComponent("file")
        try response.write(to: file, atomically: true, encoding: .utf8)
        try await self.init(authority, options: "-HTTP " + options)
    }

    var request: HTTPRequest { HTTPRequest(.get, url + "/file") }

    deinit {
        // A child of a thread of Foundation has the other signals blocked.
        kill(process.processIdentifier, SIGKILL)
        // What a Process held, it holds on to.
        try? input.close()
        try? output.close()
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
