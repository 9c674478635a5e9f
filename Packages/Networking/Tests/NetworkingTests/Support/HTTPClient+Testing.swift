import Networking

extension HTTPClient {
    func result(of request: HTTPRequest) async -> Result<HTTPResponse, HTTPClientError> {
        do {
            return .success(try await send(request))
        } catch {
            return .failure(error)
        }
    }

    func failure(_ request: HTTPRequest) async -> HTTPClientError? {
        if case .failure(let error) = await result(of: request) { error } else { nil }
    }
}

extension CurlHTTPClient {
    convenience init(limits change: (inout HTTPLimits) -> Void) {
        var configuration = Configuration()
        change(&configuration.limits)
        self.init(configuration: configuration)
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
