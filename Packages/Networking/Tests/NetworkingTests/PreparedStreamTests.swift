import Networking
import Testing

@Suite("A stream without a transfer")
struct PreparedStreamTests {
    /// A client of a test.
    private struct StubClient: StreamingHTTPClient {
        let chunks: [[UInt8]]
        var failure: HTTPClientError?

        func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponseStream {
            let head = HTTPResponse(status: 203, headers: ["X-A": "b"], url: request.url)
            return HTTPResponseStream(head, chunks: chunks, failure: failure)
        }
    }

    private let request = HTTPRequest(method: .get, url: "http://a.test/")
    private let lost = HTTPClientError(.connectionLost, mayHaveBeenSent: true)

    @Test("has the head and the chunks that a test prepared, without empty chunks")
    func chunks() async throws {
        let client: any StreamingHTTPClient = StubClient(chunks: [[1], [], [2, 3]])
        let stream = try await client.stream(request)
        #expect(stream.head.status == 203 && stream.head.headers["X-A"] == "b")
        #expect(stream.head.url == request.url)
        #expect(try await stream.reduce(into: []) { $0.append($1) } == [[1], [2, 3]])
        #expect(try await stream.reduce(0) { sum, _ in sum + 1 } == 0, "it can be read once")
    }

    @Test("throws the prepared failure after the chunks, and only once")
    func failure() async throws {
        let stream = try await StubClient(chunks: [[1]], failure: lost).stream(request)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next(isolation: nil) == [1])
        await #expect(throws: lost) { try await iterator.next(isolation: nil) }
        #expect(try await iterator.next(isolation: nil) == nil)
    }

    @Test("throws an error to a cancelled reader, and ends")
    func cancelled() async throws {
        let stream = try await StubClient(chunks: [[1]]).stream(request)
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await stream.reduce(0) { sum, _ in sum + 1 }
        }
        await #expect(throws: HTTPClientError(.cancelled, mayHaveBeenSent: true)) {
            try await reader.value
        }
        #expect(try await stream.reduce(0) { sum, _ in sum + 1 } == 0)
    }
}
