/// Downloads to files.
extension CurlHTTPClient {
    /// Downloads a resource to a file, and continues an interrupted download of the same URL.
    ///
    /// The bytes are first written to `PATH.partial`. When all of them are on the disk, the file
    /// gets its final name and replaces an existing one. If the download is interrupted, for
    /// example by an error, a cancellation, or the end of the process, the next one requests only
    /// the rest, with `Range` and `If-Range` (RFC 9110, section 14). It starts over if the file has
    /// changed, if the server sent no strong validator (a strong `ETag`; without an `ETag`, a
    /// `Last-Modified` earlier than `Date`), or if the server ignores `Range`.
    ///
    /// For a large file, set ``HTTPRequest/totalTimeout`` and ``HTTPRequest/maximumResponseBytes``, which
    /// limits the whole file and may be larger than the client's limit. `Accept-Encoding`, `Range`, and
    /// `If-Range` of the request are replaced. A file that the server compresses although the request
    /// asks for `identity` is stored compressed.
    ///
    /// - Parameters:
    ///   - request: A GET request without a body.
    ///   - path: The path of the file, in an existing directory.
    ///   - progress: Called after each chunk that was written.
    /// - Returns: The size of the file and the head of the response.
    /// - Throws: `unexpectedStatus` if the server does not send a file, `fileFailed` if it cannot be
    ///   stored or a different download is writing it, `other` if the request is not a GET request
    ///   without a body, and the errors of ``CurlHTTPClient/stream(_:)``.
    @discardableResult
    public func download(
        _ request: HTTPRequest,
        to path: String,
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) async throws(HTTPClientError) -> HTTPDownload {
        guard request.method == .get, request.body == nil else {
            throw HTTPClientError(.other, detail: "a download is a GET request without a body")
        }
        let file = try PartialFile(of: path)
        do throws(HTTPClientError) {
            // Without stored bytes, the second request asks for the whole file.
            var response = try await requestRest(request, of: file)
            if response == nil {
                try file.restart(from: nil)
                response = try await requestRest(request, of: file)
            }
            guard let response else {
                throw HTTPClientError(.malformedResponse, mayHaveBeenSent: true)
            }
            let size = try await store(response, in: file, request, progress)
            try await file.finish()
            return HTTPDownload(
                response: response.stream.head,
                size: size,
                resumedBytes: response.start
            )
        } catch {
            file.removeIfEmpty()
            throw error
        }
    }

    /// A response with the bytes of a file from `start` on.
    private struct Rest {
        let stream: HTTPResponseStream
        let start: Int
        /// The size of the whole file; nil if it is not known.
        let total: Int?
    }

    /// Requests the bytes that are missing. Returns nil if the response does not continue the bytes
    /// in the file.
    private func requestRest(
        _ request: HTTPRequest,
        of file: PartialFile
    ) async throws(HTTPClientError) -> Rest? {
        let source = file.source.flatMap { $0.url == request.url && file.size > 0 ? $0 : nil }
        let stored = source == nil ? 0 : file.size
        var request = request
        request.headers["Accept-Encoding"] = "identity"
        request.headers["Range"] = source.map { _ in "bytes=\(stored)-" }
        request.headers["If-Range"] = source?.validator
        let stream = try await stream(request)
        let (head, range) = (stream.head, ContentRange(stream.head))
        switch (head.status, source) {
        case (200, _):
            try file.restart(from: PartialFile.Source(of: head, url: request.url))
            return Rest(stream: stream, start: 0, total: head.bodySize)
        case (206, let source?):
            guard head.isSameVersion(as: source.validator), range?.start == stored else {
                return nil
            }
            return Rest(stream: stream, start: stored, total: range?.total)
        case (416, let source?):
            guard head.isSameVersion(as: source.validator), range?.isEnd(at: stored) == true else {
                return nil
            }
            return Rest(stream: stream, start: stored, total: stored)
        default: throw HTTPClientError(.unexpectedStatus(head.status), mayHaveBeenSent: true)
        }
    }

    /// Appends the body of a response. Returns the size of the file.
    private func store(
        _ rest: Rest,
        in file: PartialFile,
        _ request: HTTPRequest,
        _ progress: (@Sendable (HTTPProgress) -> Void)?
    ) async throws(HTTPClientError) -> Int {
        let limit = request.maximumResponseBytes ?? limits.maximumBodyBytes
        var size = rest.start
        // The body of a 416 response describes the error.
        if rest.stream.head.status != 416 {
            for try await chunk in rest.stream {
                guard size + chunk.count <= limit else {
                    throw HTTPClientError(.bodyTooLarge(limit: limit), mayHaveBeenSent: true)
                }
                try file.write(chunk, at: size)
                size += chunk.count
                progress?(HTTPProgress(completedBytes: size, totalBytes: rest.total))
            }
        }
        guard rest.total == nil || rest.total == size else {
            try file.restart(from: nil)
            throw HTTPClientError(
                .malformedResponse,
                mayHaveBeenSent: true,
                detail: "the size of the file is not the announced one"
            )
        }
        return size
    }
}

/// A finished download.
public struct HTTPDownload: Sendable, Hashable {
    /// The head of the last response. Its status is 200, 206 if the rest of the file was requested,
    /// or 416 if all bytes had arrived before.
    public var response: HTTPResponse
    /// The size of the file in bytes.
    public var size: Int
    /// How many of the bytes are from an earlier download that was interrupted.
    public var resumedBytes: Int
}
