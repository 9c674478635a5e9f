import Networking

/// Whether the remote proves who it is.
struct CertificateCheck {
    let probe: RemoteProbe
    /// The file of certificates that were to be trusted, if one was named.
    let file: String?

    var finding: Finding {
        switch probe {
        case .notConfigured: return Finding("certificate", .ok, "none is needed without a remote")
        case .failed(let error, let url):
            guard url.isSecure else { return plain(url) }
            if error.reason == .tls { return refused(error) }
            return Finding("certificate", .warn, "not seen: there was no connection")
        case .answered(let response, _, _):
            guard response.url.isSecure else { return plain(response.url) }
            return Finding("certificate", .ok, "verified against \(file ?? "the system's")")
        }
    }

    private func refused(_ error: HTTPClientError) -> Finding {
        Finding(
            "certificate",
            .fail,
            error.detail.isEmpty ? "\(error)" : error.detail,
            advice: file == nil
                ? "if its authority is your own, name it with --ca-file FILE; else do not go on"
                : "check that --ca-file has the authority that signed it"
        )
    }

    /// Phone numbers would be read on the way.
    private func plain(_ url: String) -> Finding {
        if url.isLoopback { return Finding("certificate", .ok, "none is needed on this machine") }
        return Finding(
            "certificate",
            .warn,
            "http is not encrypted: bookings can be read on the way",
            advice: "use https"
        )
    }
}

extension String {
    fileprivate var isSecure: Bool { lowercased().hasPrefix("https:") }

    fileprivate var isLoopback: Bool {
        let authority = lowercased().dropFirst("http://".count).prefix { $0 != "/" }
        if authority.hasPrefix("[::1]") { return true }
        let host = authority.prefix { $0 != ":" }
        // A name may begin like an address.
        let isAddress = host.allSatisfy { $0 == "." || $0.isNumber }
        return host == "localhost" || isAddress && host.hasPrefix("127.")
    }
}
