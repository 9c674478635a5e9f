import Contract
import Domain
import JSON
import Networking
import NovaBlendAccounts
import NovaBlendAdapters

/// Checks that the server returns a list of salons.
struct ServerCheck: Check {
    let check = "server"
    let probe: ServerProbe
    /// The URL that the probe requested, unless none is configured.
    let salonsURL: String?

    var finding: Finding {
        switch probe {
        case .notConfigured:
            warn(
                "none is configured: nothing can be listed or booked",
                advice: "use --base-url URL, or try --sandbox"
            )
        case .failed(let error, let url):
            fail("\(URLParts.withoutSecrets(url)): \(error)", advice: advice(error))
        case .responded(let response, let milliseconds, _):
            judge(
                response,
                "\(URLParts.withoutSecrets(response.url)) responded in \(milliseconds) ms"
            )
        }
    }

    private func judge(_ response: HTTPResponse, _ responded: String) -> Finding {
        guard response.status == 200 else {
            return fail(
                "\(responded) with status \(response.status)",
                advice: advice(response.status)
            )
        }
        do {
            let salons = try SalonListCodec.decode(response.body)
            return judge(salons.count, response, responded)
        } catch {
            return fail(
                "\(responded), but violated the contract: \(error)",
                advice: "check the URL, and inform the server's operator"
            )
        }
    }

    private func judge(_ count: Int, _ response: HTTPResponse, _ responded: String) -> Finding {
        do {
            let isWhole = try response.nextPage(of: salonsURL ?? response.url) == nil
            let salons = count.counting("salon") + (isWhole ? "" : " on the first page")
            return ok("\(responded) with \(salons)")
        } catch {
            return fail(
                "\(responded), but \(error)",
                advice: "check the URL, and inform the server's operator"
            )
        }
    }

    private func advice(_ status: Int) -> String {
        switch status {
        case 401:
            "the token is missing, wrong, or expired: configure token-file or token-command, or set "
                + "NOVABLEND_TOKEN"
        case 403:
            "these credentials do not allow it: select a different --profile, or ask the server's "
                + "operator for access"
        default: "check the URL, or ask the server's operator"
        }
    }

    private func advice(_ error: HTTPClientError) -> String {
        switch error.reason {
        case .couldNotResolve: "check the host name and the network connection"
        case .tls: "see the certificates below"
        case .proxyFailed(407?): "add the user name and password to the proxy's URL"
        case .proxyFailed:
            "check the proxy, or ask its operator whether it may connect to this server"
        case .connectionLost:
            "ask the server's operator, or whoever runs the network's proxy or firewall"
        case .noCredentials: "see the token below"
        case .libraryMissing: "apt install \(HTTPClientError.libraryPackage)"
        case .invalidURL: "use an absolute http or https URL"
        default: "check the URL and the network connection"
        }
    }
}
