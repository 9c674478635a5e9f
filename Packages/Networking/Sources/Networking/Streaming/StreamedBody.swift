import Synchronization

/// A body that is read in chunks, by one reader at a time.
protocol StreamedBody: Sendable {
    /// Waits for the next bytes; nil if the body is complete. Cancelling the task ends the transfer.
    nonisolated(nonsending) func next() async throws(HTTPClientError) -> [UInt8]?
    /// Ends the transfer, unless it has ended. A waiting reader fails immediately.
    func cancel()
}

/// A body without a transfer.
final class PreparedBody: StreamedBody {
    /// What has not been read, in reverse order.
    private let rest: Mutex<[Result<[UInt8], HTTPClientError>]>

    init(_ chunks: [[UInt8]], _ failure: HTTPClientError?) {
        var rest: [Result<[UInt8], HTTPClientError>] =
            chunks.filter { !$0.isEmpty }.map { .success($0) }
        if let failure { rest.append(.failure(failure)) }
        self.rest = Mutex(rest.reversed())
    }

    nonisolated(nonsending) func next() async throws(HTTPClientError) -> [UInt8]? {
        if Task.isCancelled {
            cancel()
            throw HTTPClientError(.cancelled, mayHaveBeenSent: true)
        }
        return try rest.withLock { $0.popLast() }?.get()
    }

    func cancel() { rest.withLock { $0 = [] } }
}
