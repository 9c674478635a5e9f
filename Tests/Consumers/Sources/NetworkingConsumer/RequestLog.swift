import Networking

/// Writes a line about each attempt to send a request.
struct RequestLog: HTTPClientObserver {
    let write: @Sendable (String) -> Void

    func didFinishAttempt(_ report: HTTPReport) {
        let outcome =
            switch report.result {
            case .success(let response): "\(response.status), \(report.receivedBytes) bytes"
            case .failure(let error): "\(error)"
            }
        let request = "\(report.request.method.rawValue) \(report.request.url)"
        write("\(request): \(outcome) after \(report.duration), attempt \(report.attempts)")
    }
}
