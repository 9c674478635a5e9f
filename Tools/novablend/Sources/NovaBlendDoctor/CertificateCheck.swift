import Contract
import Domain
import Glibc
import Networking
import NovaBlendAccounts
import SystemSupport
import WebPrimitives

/// Checks the server's certificate.
struct CertificateCheck: Check {
    let check = "certificate"
    let probe: ServerProbe
    /// The file of trusted certificates, if one is configured.
    var file: String?
    /// The directory of trusted certificates, if one is configured.
    var directory: String?

    var finding: Finding {
        switch probe {
        case .notConfigured: return ok("not needed without a server")
        case .failed(let error, let url):
            guard url.isSecure else { return plain(url) }
            if error.reason == .tls, !error.isAboutClientCertificate { return rejected(error) }
            return warn("not checked: the server did not respond")
        case .responded(let response, _, let moment):
            guard response.url.isSecure else { return plain(response.url) }
            let verified =
                "verified with \(trusted.isEmpty ? "the system's certificates" : trusted)"
            guard let expiry = response.certificateExpiry else {
                return ok(verified)
            }
            let end = Timestamp(secondsSince1970: Int64(expiry.secondsSince1970))
            return judge(verified, left: end.seconds(since: moment), end)
        }
    }

    /// The configured file and directory of trusted certificates.
    private var trusted: String {
        [file, directory].compactMap(\.self).joined(separator: " and ")
    }

    private static let day: Int64 = 86_400
    /// The number of days before its expiry within which a certificate should be renewed.
    private static let fewDays: Int64 = 14

    private func judge(_ verified: String, left: Int64, _ end: Timestamp) -> Finding {
        let date = ISO8601.formatUTC(end).prefix("2026-01-01".count)
        if left <= 0 {
            return fail("expired on \(date)", advice: Self.renewal)
        }
        let found = "\(verified), until \(date)"
        guard left < Self.fewDays * Self.day else { return ok(found) }
        let days = left / Self.day
        return warn(
            found + (days == 1 ? ": 1 day is left" : ": \(days) days are left"),
            advice: Self.renewal
        )
    }

    private static let renewal = "ask the server's operator to renew it"

    private func rejected(_ error: HTTPClientError) -> Finding {
        fail(error.detail.isEmpty ? "\(error)" : error.detail, advice: advice(error))
    }

    private func advice(_ error: HTTPClientError) -> String {
        // The text is OpenSSL's. The date is unknown, since the certificate was not accepted.
        if error.detail.contains("expired") {
            return "\(Self.renewal), unless this machine's clock is ahead"
        }
        return trusted.isEmpty
            ? "if a private CA issued it, use --ca-file FILE; otherwise do not use this server"
            : "check that \(trusted) contains the CA that issued it"
    }

    /// The finding for a server without TLS: phone numbers can be read in transit.
    private func plain(_ url: String) -> Finding {
        if Origin(url)?.isLoopback == true {
            return ok("not needed on this machine")
        }
        return warn(
            "http is not encrypted: others can read bookings in transit",
            advice: "use an https URL"
        )
    }
}

extension String {
    fileprivate var isSecure: Bool { lowercased().hasPrefix("https:") }
}

/// Checks that the client certificate and its key can be used.
struct ClientCertificateCheck: Check {
    let check = "client-cert"
    let credentials: Credentials
    let probe: ServerProbe

    var finding: Finding {
        guard let certificate = credentials.certificateFile else {
            return ok("none is configured")
        }
        let key = credentials.keyFile ?? certificate
        for path in Set([certificate, key]).sorted() where access(path.systemBytes, R_OK) != 0 {
            return fail(
                "\(path): \(String(cString: strerror(errno)))",
                advice: "check the path and the permissions"
            )
        }
        if case .failed(let error, _) = probe, error.isAboutClientCertificate {
            return fail(
                error.detail,
                advice:
                    "check that certificate and key are PEM files that belong together, and that the "
                    + "key is not encrypted"
            )
        }
        var status = stat()
        if stat(key, &status) == 0, status.st_mode & 0o066 != 0 {
            return warn(
                "other users can read or write the key \(key)",
                advice: "chmod 600 '\(key)'"
            )
        }
        return ok(certificate)
    }
}

extension HTTPClientError {
    /// Whether the client certificate cannot be used, or the server rejects it or requires one.
    var isAboutClientCertificate: Bool {
        let words = ["match each other", "requires a client certificate", "alert bad certificate"]
        return reason == .tls && words.contains { detail.contains($0) }
    }
}
