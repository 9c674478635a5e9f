import Domain
import Networking
import Testing

@testable import NovaBlendAdapters

@Suite("Errors about the server")
struct ServerErrorTests {
    private static let missing: [HTTPClientError.Reason] = [
        .couldNotResolve, .couldNotConnect, .timedOut(.connect), .linkLost,
    ]

    private static let unavailable: [HTTPClientError.Reason] = [
        .proxyFailed(status: nil), .proxyFailed(status: 403), .proxyFailed(status: 407),
        .proxyFailed(status: 503), .proxyFailed(status: 511), .connectionLost, .tls,
        .timedOut(.handshake), .timedOut(.stall), .timedOut(.total), .circuitOpen, .closed,
        .libraryMissing, .other,
    ]

    @Test("Only a server that was never reached is missing connectivity", arguments: missing)
    func unreachable(reason: HTTPClientError.Reason) {
        guard case .connectivity = Failure(HTTPClientError(reason)) else {
            Issue.record("\(reason)")
            return
        }
    }

    @Test(
        "Anything that was reached is unavailable",
        arguments: unavailable.map { HTTPClientError($0) }
            + missing.map {
                var error = HTTPClientError($0)
                error.hadContact = true
                return error
            }
    )
    func reached(error: HTTPClientError) {
        guard case .unavailable = Failure(error) else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("A proxy that requires a sign-in to the network is reported as such")
    func portal() {
        let error = Failure(HTTPClientError(.proxyFailed(status: 511)))
        #expect(error.description.contains("sign in to the network"))
    }

    @Test("A page that cannot be requested after the first one is not missing connectivity")
    func laterPage() async throws {
        struct OnePage: HTTPClient {
            func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
                guard request.url == "http://a.test/list" else {
                    throw HTTPClientError(.couldNotConnect)
                }
                let headers: HTTPHeaders = ["Link": #"<http://a.test/list?page=2>; rel="next""#]
                return HTTPResponse(status: 200, headers: headers, url: request.url)
            }
        }
        var pages = ListPages(
            HTTPRequest(method: .get, url: "http://a.test/list"),
            bypass: nil,
            client: OnePage(),
            limits: ListLimits(maximumBytes: 1_000)
        )
        _ = try await pages.next()
        let error = await #expect(throws: Failure.self) { try await pages.next() }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
