import Glibc
import Networking
import NovaBlendAccounts
import SystemSupport

/// Checks that the client certificate and its key can be used.
struct ClientCertificateCheck {
    let credentials: Credentials
    let probe: ServerProbe

    private static let check = "client-cert"

    var finding: Finding {
        guard let certificate = credentials.certificateFile else {
            return Finding(Self.check, .ok, "none is configured")
        }
        let key = credentials.keyFile ?? certificate
        for path in Set([certificate, key]).sorted() where access(path.systemBytes, R_OK) != 0 {
            return fail(
                "\(path): \(String(cString: strerror(errno)))",
                "check the path and the permissions"
            )
        }
        if case .failed(let error, _) = probe, error.isAboutClientCertificate {
            return fail(
                error.detail,
                "check that certificate and key are PEM files that belong together, and that the "
                    + "key is not encrypted"
            )
        }
        var status = stat()
        if stat(key, &status) == 0, status.st_mode & 0o066 != 0 {
            return Finding(
                Self.check,
                .warn,
                "other users can read or write the key \(key)",
                advice: "chmod 600 '\(key)'"
            )
        }
        return Finding(Self.check, .ok, certificate)
    }

    private func fail(_ found: String, _ advice: String) -> Finding {
        Finding(Self.check, .fail, found, advice: advice)
    }
}

extension HTTPClientError {
    /// Whether the client certificate cannot be used, or the server rejects it or requires one.
    var isAboutClientCertificate: Bool {
        let words = ["match each other", "requires a client certificate", "alert bad certificate"]
        return reason == .tls && words.contains { detail.contains($0) }
    }
}
