/// The outcome of one attempt.
struct RetryOutcome {
    private let result: Result<HTTPResponse, HTTPClientError>

    init(of request: HTTPRequest, by client: any HTTPClient) async {
        do throws(HTTPClientError) {
            result = .success(try await client.send(request))
        } catch {
            result = .failure(error)
        }
    }

    /// Whether the next attempt may succeed.
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

    var isResponse: Bool { if case .success = result { true } else { false } }

    var mayHaveBeenSent: Bool {
        switch result {
        case .success: true
        case .failure(let error): error.mayHaveBeenSent
        }
    }

    /// The delay that the response asks for; zero if it does not.
    func retryAfter(now: HTTPDate) -> Duration {
        if case .success(let response) = result {
            response.retryAfter(now: now) ?? .zero
        } else {
            .zero
        }
    }

    /// The response, or the error; `mayHaveBeenSent` covers all attempts.
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
    /// Whether the status says that the server is temporarily unavailable.
    var isTransient: Bool { [408, 429, 502, 503, 504].contains(status) }
}
