import Foundation
import Networking
import NovaBlendTestEnvironment
import Testing

@Suite(
    "Configured certificates",
    .enabled(if: OpenSSL.isInstalled, "needs the command openssl"),
    .timeLimit(.minutes(10))
)
struct CertificateFileTests {
    private static let requiringOptions = "-Verify 1 -verify_return_error -CAfile ca.pem"

    private func client(
        _ change: (inout CurlHTTPClient.Configuration) -> Void
    ) -> CurlHTTPClient {
        var configuration = CurlHTTPClient.Configuration()
        change(&configuration)
        return CurlHTTPClient(configuration: configuration)
    }

    @Test("Authorities in the configured directory are trusted, and no others")
    func directory() async throws {
        let (authority, unknown) = (try await Authority(), try await Authority())
        try await authority.issue()
        let server = try await TLSServer(authority, response: TLSServer.ok)
        let (trusted, other) = (
            try await authority.hashedDirectory(), try await unknown.hashedDirectory()
        )
        #expect(
            try await client { $0.certificateDirectory = trusted }.send(server.request).status
                == 200
        )
        for directory in [other, "/nonexistent"] {
            let error = await client { $0.certificateDirectory = directory }.failure(server.request)
            #expect(error?.reason == .tls && error?.mayHaveBeenSent == false)
        }
    }

    @Test("Authorities in the configured file and in the directory are both trusted")
    func fileAndDirectory() async throws {
        let (first, second) = (try await Authority(), try await Authority())
        let directory = try await second.hashedDirectory()
        let client = client {
            $0.certificateFile = first.file
            $0.certificateDirectory = directory
        }
        for authority in [first, second] {
            try await authority.issue()
            let server = try await TLSServer(authority, response: TLSServer.ok)
            #expect(try await client.send(server.request).status == 200)
        }
    }

    @Test(
        "The client presents its certificate to a server that requires one",
        arguments: [true, false]
    )
    func clientCertificate(isOneFile: Bool) async throws {
        let authority = try await Authority()
        for name in ["server", "client"] { try await authority.issue(name) }
        let server = try await TLSServer(
            authority,
            response: TLSServer.ok,
            options: Self.requiringOptions
        )
        var certificate = authority.path("client.pem")
        if isOneFile {
            let both = try ["client.pem", "client.key"].map {
                try String(contentsOfFile: authority.path($0), encoding: .utf8)
            }
            certificate = authority.path("both.pem")
            try both.joined().write(toFile: certificate, atomically: true, encoding: .utf8)
        }
        let response = try await client {
            $0.certificateFile = authority.file
            $0.clientCertificateFile = certificate
            $0.clientKeyFile = isOneFile ? nil : authority.path("client.key")
        }.send(server.request)
        #expect(response.status == 200)
    }

    @Test(
        "A server that requires a certificate rejects a client without one",
        arguments: ["-tls1_2", "-tls1_3"]
    )
    func required(version: String) async throws {
        let authority = try await Authority()
        try await authority.issue()
        let options = "\(Self.requiringOptions) \(version)"
        let server = try await TLSServer(authority, response: TLSServer.ok, options: options)
        let error = await client { $0.certificateFile = authority.file }.failure(server.request)
        #expect(error?.reason == .tls)
        // In TLS 1.2 the alert does not name the certificate.
        let isNamed = error?.detail.contains("requires a client certificate")
        #expect(isNamed == (version == "-tls1_3"))
    }

    @Test("The client does not present its certificate to a different origin after a redirect")
    func redirected() async throws {
        let authority = try await Authority()
        for name in ["server", "client"] { try await authority.issue(name) }
        let target = try await TLSServer(
            authority,
            response: TLSServer.ok,
            options: Self.requiringOptions
        )
        let moved =
            "HTTP/1.1 302 Found\r\nLocation: \(target.url)/file\r\nContent-Length: 0\r\n\r\n"
        let other = try await Authority()
        try await other.issue()
        let server = try await TLSServer(other, response: moved)
        let directory = try await other.hashedDirectory()
        let client = client {
            $0.certificateFile = authority.file
            $0.certificateDirectory = directory
            $0.clientCertificateFile = authority.path("client.pem")
            $0.clientKeyFile = authority.path("client.key")
        }
        let error = await client.failure(server.request)
        #expect(error?.reason == .tls && error?.mayHaveBeenSent == true)
        #expect(try await client.send(target.request).status == 200)
    }

    @Test("An unusable client certificate is an error before anything is sent")
    func unusable() async throws {
        let authority = try await Authority()
        for name in ["server", "client", "other"] { try await authority.issue(name) }
        try await OpenSSL.run(
            "pkey -in client.key -out locked.key -aes256 -passout pass:secret",
            in: authority.directory
        )
        try "no key".write(
            toFile: authority.path("text.key"),
            atomically: true,
            encoding: .utf8
        )
        let server = try await TLSServer(
            authority,
            response: TLSServer.ok,
            options: Self.requiringOptions
        )
        for (certificate, key, words) in [
            ("client.pem", "other.key", "match each other"),
            ("missing.pem", "client.key", "missing.pem"),
            ("client.pem", "missing.key", "missing.key"),
            ("client.pem", "locked.key", "locked.key"),
            ("client.pem", "text.key", "text.key"),
        ] {
            let error = await client {
                $0.certificateFile = authority.file
                $0.clientCertificateFile = authority.path(certificate)
                $0.clientKeyFile = authority.path(key)
            }.failure(server.request)
            #expect(error?.reason == .tls && error?.mayHaveBeenSent == false)
            #expect(error?.detail.contains(words) == true, "\(error?.description ?? "")")
        }
        // Nothing asked for the passphrase of the locked key.
        #expect(terminal_open_count() == 0)
    }
}
