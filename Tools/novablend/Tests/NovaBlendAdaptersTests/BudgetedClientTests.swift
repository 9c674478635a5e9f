import Domain
import Networking
import NovaBlendAdapters
import Synchronization
import Testing

@Suite("Requests within the budget of a call")
struct BudgetedClientTests {
    /// A client that returns one response, or fails.
    private final class Server: HTTPClient {
        let requests = Mutex<[HTTPRequest]>([])
        private let result: Result<HTTPResponse, HTTPClientError>

        init(_ result: Result<HTTPResponse, HTTPClientError>) { self.result = result }

        convenience init(_ status: Int, _ body: String = "") {
            self.init(
                .success(
                    HTTPResponse(status: status, headers: [:], body: Array(body.utf8), url: "")
                )
            )
        }

        func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
            requests.withLock { $0.append(request) }
            return try result.get()
        }

        var request: HTTPRequest? { requests.withLock(\.last) }
    }

    private let budget = CallBudget(.seconds(20))

    private func send(
        _ method: HTTPMethod = .get,
        to server: Server,
        share: Double = 1
    ) async -> HTTPClientError? {
        let client = BudgetedHTTPClient(server, share: share)
        let request = HTTPRequest(method: method, url: "http://a.example")
        return await CallBudget.$current.withValue(budget) {
            do throws(HTTPClientError) {
                _ = try await client.send(request)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test("a response with data, or that nothing has changed, consumes nothing")
    func progress() async {
        for server in [Server(200, "{}"), Server(201), Server(204), Server(304)] {
            #expect(await send(to: server) == nil)
            #expect(budget.remaining == .seconds(20))
        }
    }

    @Test("a failure and a response that cannot be used consume the time that they took")
    func failures() async {
        let lost = HTTPClientError(.connectionLost, mayHaveBeenSent: true)
        for server in [
            Server(404), Server(503), Server(302), Server(200, "<html>"), Server(.failure(lost)),
        ] {
            let before = budget.remaining
            _ = await send(to: server)
            #expect(budget.remaining < before)
        }
    }

    @Test("a request waits for data no longer than the budget, or its share of it, allows")
    func limits() async {
        let server = Server(200, "{}")
        budget.consume(.seconds(12))
        _ = await send(to: server)
        #expect(server.request?.stallTimeout == .seconds(8))
        // A list that advances may take longer.
        #expect(server.request?.totalTimeout == .seconds(30))
        _ = await send(.post, to: server)
        #expect(server.request?.totalTimeout == .seconds(8))
        _ = await send(to: server, share: 0.5)
        #expect(server.request?.stallTimeout == .seconds(4))
        #expect(server.request?.totalTimeout == .seconds(4))
    }

    @Test("when nothing is left, nothing is sent")
    func usedUp() async {
        let server = Server(200)
        budget.consume(.seconds(20))
        let error = await send(.post, to: server)
        #expect(error?.mayHaveBeenSent == false && server.request == nil)
    }

    @Test("without a budget, a request is sent as it is")
    func background() async throws {
        let server = Server(500)
        let request = HTTPRequest(method: .get, url: "http://a.example")
        _ = try await BudgetedHTTPClient(server).send(request)
        #expect(server.request == request)
    }

    @Test("a pause before a retry consumes the budget, and is not made if it is too long")
    func pauses() async throws {
        try await CallBudget.$current.withValue(budget) {
            try await BudgetedRetryClock().sleep(for: .milliseconds(1))
            #expect(budget.remaining == .milliseconds(19_999))
            await #expect(throws: (any Error).self) {
                try await BudgetedRetryClock().sleep(for: .seconds(20))
            }
            #expect(budget.remaining == .milliseconds(19_999))
        }
    }
}
