/// A transfer in flight, and the callers that wait for it.
struct Flight {
    typealias Waiter = CheckedContinuation<Result<HTTPResponse, HTTPClientError>, Never>

    let id: UInt64
    let task: Task<Void, Never>
    var waiters: [UInt64: Waiter] = [:]
}
