/// A response whose body arrives in chunks, while the transfer goes on.
///
/// The body can be read once, by one task at a time. While the reader is busy, at most 144 KiB are
/// buffered (of a compressed body, at most 128 KiB and what 16 KiB decompress to), and the server
/// has to wait: the stall timeout does not apply then, but the total timeout does.
///
/// A request with `Accept-Encoding: identity` receives the body as the server sends it. libcurl then
/// reads up to 128 KiB at once instead of 16 KiB, which takes about half of the processor time, and at most
/// 256 KiB are buffered.
///
/// To stop before the end of the body, release the last reference to the stream and its iterators, for
/// example by returning from the function that reads it, or cancel the reader's task, which takes
/// effect while it waits for a chunk. Then the transfer ends, and its connection closes. A `break`
/// alone is not enough as long as a variable contains the stream.
public final class HTTPResponseStream: AsyncSequence, Sendable {
    /// A part of the body, which is decompressed unless the request asked for `identity`; never empty.
    public typealias Element = [UInt8]
    /// Why the body is incomplete. It is thrown after the part that arrived.
    public typealias Failure = HTTPClientError

    /// The status and headers. Its body is empty.
    public let head: HTTPResponse
    let body: any StreamedBody
    /// Keeps the client open: a client closes when it is released.
    private let client: CurlHTTPClient?

    init(_ head: HTTPResponse, _ body: any StreamedBody, of client: CurlHTTPClient) {
        (self.head, self.body, self.client) = (head, body, client)
    }

    /// Creates a stream without a transfer, for example in a test.
    ///
    /// - Parameters:
    ///   - head: The status and headers.
    ///   - chunks: The body. Empty chunks are skipped.
    ///   - failure: Thrown after the chunks; nil if the body is complete.
    public init(_ head: HTTPResponse, chunks: [[UInt8]], failure: HTTPClientError? = nil) {
        (self.head, client) = (head, nil)
        body = PreparedBody(chunks, failure)
    }

    deinit { body.cancel() }

    /// Reads the body, or the rest of it.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }

    /// Reads the chunks of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: HTTPResponseStream

        /// Waits for the next chunk.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The bytes that have arrived, or nil after the last ones.
        /// - Throws: The reason why the body is incomplete, once; `cancelled` if the task is
        ///   cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(HTTPClientError) -> [UInt8]? {
            try await stream.body.next()
        }
    }
}
