import Foundation

/// A certificate authority in a directory that goes with it.
final class Authority: Sendable {
    let directory: URL

    /// The file to trust.
    var file: String { directory.appendingPathComponent("ca.pem").path }

    private static let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config /dev/null"

    init() async throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("Networking-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try await OpenSSL.run(
            "req -x509 \(Self.key) -keyout ca.key -out ca.pem -days 2 -subj /CN=ca"
                + " -addext basicConstraints=critical,CA:TRUE",
            in: directory
        )
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Issues `server.pem` and `server.key`.
    func issue(host: String = "IP:127.0.0.1", days: Int = 2) async throws {
        try await OpenSSL.run(
            "req -new \(Self.key) -keyout server.key -out server.csr -subj /CN=server"
                + " -addext subjectAltName=\(host)",
            in: directory
        )
        try await OpenSSL.run(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days \(days)"
                + " -copy_extensions copy -out server.pem",
            in: directory
        )
    }
}
