/// A request body that is sent in chunks, so that it need not fit in memory.
///
/// The next chunk is requested when libcurl has taken the previous one. While a chunk is being
/// prepared, the stall timeout does not apply, but the total timeout does.
public struct HTTPUpload: Sendable {
    typealias Send = @Sendable (_ chunk: [UInt8]) async throws -> Void

    /// The size in bytes, which is sent as `Content-Length`; nil to use `Transfer-Encoding:
    /// chunked`.
    public let length: Int?
    /// Receives the number of bytes that libcurl has taken, after each chunk.
    let progress: (@Sendable (HTTPProgress) -> Void)?
    /// Passes each chunk to `send`, which throws if the transfer has ended.
    let produce: @Sendable (_ send: Send) async throws -> Void

    /// Creates a body from a sequence, which is iterated once, in a task of its own.
    ///
    /// The task is cancelled if the transfer ends early. If the sequence fails, or contains more or
    /// fewer bytes than `length`, the request fails with `uploadFailed`, and the server receives an
    /// incomplete message.
    ///
    /// - Parameters:
    ///   - chunks: The bytes in order. Empty chunks are skipped.
    ///   - length: The total number of bytes; nil if it is not known.
    ///   - progress: Called after each chunk that libcurl has taken, in the same task.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) where Chunks.Element == [UInt8] {
        (self.length, self.progress) = (length.map { max($0, 0) }, progress)
        produce = { send in
            for try await chunk in chunks { try await send(chunk) }
        }
    }

    /// Creates a body from a regular file, whose current size is the length of the body.
    ///
    /// The file is opened now and read during the upload, 256 KiB at a time.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - progress: Called after each chunk that libcurl has taken.
    /// - Throws: `fileFailed` if the file cannot be opened or is not a regular file.
    public init(
        file path: String,
        progress: (@Sendable (HTTPProgress) -> Void)? = nil
    ) throws(HTTPClientError) {
        let file = try UploadFile(path)
        (length, self.progress) = (file.size, progress)
        produce = { send in
            var offset = 0
            while offset < file.size {
                let chunk = try file.read(at: offset)
                // The file became shorter, which is reported when the body ends.
                if chunk.isEmpty { return }
                offset += chunk.count
                try await send(chunk)
            }
        }
    }
}

/// How much of a body has been transferred.
public struct HTTPProgress: Sendable, Hashable {
    /// The number of bytes so far.
    public var completedBytes: Int
    /// The number of bytes of the whole body; nil if it is not known.
    public var totalBytes: Int?
}
