import Contract
import JSON
import Networking
import NovaBlendAccounts

/// Checks that the server answers with a list of salons.
struct ServerCheck {
    let probe: ServerProbe

    var finding: Finding {
        switch probe {
        case .notConfigured:
            Finding(
                "server",
                .warn,
                "none is configured: nothing can be listed or booked",
                advice: "name it with --base-url URL, or try --sandbox"
            )
        case .failed(let error, let url):
            Finding(
                "server",
                .fail,
                "\(URLParts.withoutSecrets(url)): \(error)",
                advice: advice(error)
            )
        case .answered(let response, let milliseconds, _):
            judge(
                response,
                "\(URLParts.withoutSecrets(response.url)) answered in \(milliseconds) ms"
            )
        }
    }

    private func judge(_ response: HTTPResponse, _ said: String) -> Finding {
        guard response.status == 200 else {
            return Finding(
                "server",
                .fail,
                "\(said) with status \(response.status)",
                advice: advice(response.status)
            )
        }
        do throws(JSONError) {
            let salons = try SalonListCodec.decode(response.body)
            return Finding("server", .ok, "\(said) with \(salons.count) salons")
        } catch {
            return Finding(
                "server",
                .fail,
                "\(said), and broke the contract: \(error)",
                advice: "check the URL, and tell those who run it"
            )
        }
    }

    private func advice(_ status: Int) -> String {
        switch status {
        case 401:
            "the token is missing, wrong, or expired: configure token-file or token-command, or set "
                + "NOVABLEND_TOKEN"
        case 403:
            "these credentials do not allow it: select a profile with --profile, or ask "
                + "those who run the server for access"
        default: "check the URL, and ask those who run it"
        }
    }

    private func advice(_ error: HTTPClientError) -> String {
        switch error.reason {
        case .couldNotResolve: "check the host's name and the connection to the network"
        case .tls: "see the certificates below"
        case .noCredentials: "see the token below"
        case .libraryMissing: "apt install libcurl4"
        case .invalidURL: "name an absolute http or https URL"
        default: "check the URL and the connection to the network"
        }
    }
}
