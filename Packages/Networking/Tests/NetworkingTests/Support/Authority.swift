import Foundation
import Networking
import WebPrimitives

/// A certificate authority in its own temporary directory.
final class Authority: Sendable {
    let directory: URL

    /// The file to trust.
    var file: String { path("ca.pem") }

    private static let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config /dev/null"

    init() async throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("Networking-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try await OpenSSL.run(
            "req -x509 \(Self.key) -keyout ca.key -out ca.pem -days 2 -subj /CN=ca-\(UUID())"
                + " -addext basicConstraints=critical,CA:TRUE",
            in: directory
        )
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Issues `NAME.pem` and `NAME.key`.
    func issue(
        _ name: String = "server",
        host: String = "IP:127.0.0.1",
        days: Int = 2
    ) async throws {
        try await OpenSSL.run(
            "req -new \(Self.key) -keyout \(name).key -out \(name).csr -subj /CN=\(name)"
                + " -addext subjectAltName=\(host)",
            in: directory
        )
        try await OpenSSL.run(
            "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days \(days)"
                + " -copy_extensions copy -out \(name).pem",
            in: directory
        )
    }

    func path(_ file: String) -> String { directory.appendingPathComponent(file).path }

    /// A directory in which only ``file`` is trusted, as `openssl rehash` prepares it.
    func hashedDirectory() async throws -> String {
        let trusted = directory.appendingPathComponent("trusted")
        try FileManager.default.createDirectory(at: trusted, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: file,
            toPath: trusted.appendingPathComponent("ca.pem").path
        )
        try await OpenSSL.run("rehash \(trusted.path)", in: directory)
        return trusted.path
    }

    /// When `server.pem` expires, according to `openssl` and `date`.
    func expiry() async throws -> HTTPDate? {
        let line = try await OpenSSL.run("x509 -in server.pem -noout -enddate", in: directory)
        let text = line.drop { $0 != "=" }.dropFirst().trimmingCharacters(in: .newlines)
        let seconds = try await Command.run("/bin/date", ["-u", "-d", text, "+%s"])
        return Int(String(decoding: seconds, as: UTF8.self).trimmingCharacters(in: .newlines))
            .map { HTTPDate(secondsSince1970: $0) }
    }
}
