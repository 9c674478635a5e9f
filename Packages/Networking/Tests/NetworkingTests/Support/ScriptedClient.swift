import Networking
import Synchronization

/// A client that responds as a test specifies, and records its requests.
final class ScriptedClient: HTTPClient {
    typealias Script =
        @Sendable (_ call: Int, _ request: HTTPRequest) async throws(HTTPClientError) ->
        HTTPResponse

    private let script: Script
    private let seen = Mutex<[HTTPRequest]>([])

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    init(_ script: @escaping Script) { self.script = script }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let call = seen.withLock { seen in
            seen.append(request)
            return seen.count
        }
        return try await script(call, request)
    }
}

extension HTTPResponse {
    static func status(_ status: Int, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: [], url: "http://a.test/")
    }
}
