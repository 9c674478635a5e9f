/// What became of one try.
struct RetryOutcome {
    private let result: Result<HTTPResponse, HTTPClientError>

    init(of request: HTTPRequest, by client: any HTTPClient) async {
        do throws(HTTPClientError) {
            result = .success(try await client.send(request))
        } catch {
            result = .failure(error)
        }
    }

    /// Whether the next try may do better.
    var isTransient: Bool {
        switch result {
        case .success(let response): response.isTransient
        case .failure(let error):
            switch error.reason {
            case .couldNotResolve, .couldNotConnect, .timedOut(.connect), .connectionLost: true
            default: false
            }
        }
    }

    var isAnswered: Bool { if case .success = result { true } else { false } }

    var mayHaveBeenSent: Bool {
        switch result {
        case .success: true
        case .failure(let error): error.mayHaveBeenSent
        }
    }

    /// The seconds that the answer asks to wait.
    func retryAfter(now: HTTPDate) -> Int {
        if case .success(let response) = result { response.retryAfter(now: now) ?? 0 } else { 0 }
    }

    /// The answer, or the error with what is known of all tries.
    func get(mayHaveBeenSent: Bool) throws(HTTPClientError) -> HTTPResponse {
        switch result {
        case .success(let response): return response
        case .failure(var error):
            error.mayHaveBeenSent = mayHaveBeenSent
            throw error
        }
    }
}

extension HTTPResponse {
    /// Whether the status says that the server is unavailable for the moment.
    var isTransient: Bool { [408, 429, 502, 503, 504].contains(status) }
}
