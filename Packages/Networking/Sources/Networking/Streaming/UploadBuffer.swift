import Synchronization

/// Passes the chunks of an ``HTTPUpload`` to libcurl, one at a time.
final class UploadBuffer: Sendable {
    private typealias Producer = UnsafeContinuation<Bool, Never>

    private enum State {
        /// The producer is preparing the next chunk. If `isStarved`, libcurl is paused until it is
        /// ready.
        case empty(isStarved: Bool)
        /// libcurl has taken the first `taken` bytes of this chunk. The producer waits until libcurl
        /// has taken the rest.
        case chunk([UInt8], taken: Int, Producer)
        /// The body is complete: there are no more chunks.
        case complete
        /// The producer failed.
        case failed(String)
        /// The transfer has ended.
        case ended
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }

    private struct Contents {
        var state = State.empty(isStarved: false)
        var byteCount = 0
        var task: Task<Void, Never>?
    }

    /// The announced size of the body; nil if it is not known.
    let length: Int?
    private let progress: (@Sendable (HTTPProgress) -> Void)?
    private let loop: CurlLoop
    private let id: UInt64
    private let contents = Mutex(Contents())

    /// Starts to produce the body of transfer `id`.
    init(_ upload: HTTPUpload, _ loop: CurlLoop, id: UInt64) {
        (length, progress, self.loop, self.id) = (upload.length, upload.progress, loop, id)
        let task = Task { await run(upload) }
        contents.withLock { $0.task = task }
    }

    /// Whether libcurl waits for a chunk.
    var isStarved: Bool {
        contents.withLock { if case .empty(isStarved: true) = $0.state { true } else { false } }
    }

    /// Why the producer failed; nil if it did not.
    var failure: String? {
        contents.withLock { if case .failed(let reason) = $0.state { reason } else { nil } }
    }

    enum ReadResult {
        case bytes(Int)
        /// The next chunk is not ready. The producer will resume the transfer.
        case wait
        case end
        case failed
    }

    /// Copies bytes of the current chunk.
    func read(into target: UnsafeMutableRawBufferPointer) -> ReadResult {
        contents.withLock { contents in
            switch contents.state {
            case .empty:
                contents.state = .empty(isStarved: true)
                return .wait
            case .chunk(let chunk, let taken, let producer):
                let count = min(target.count, chunk.count - taken)
                chunk.withUnsafeBytes {
                    target.copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + count])
                    )
                }
                if taken + count < chunk.count {
                    contents.state = .chunk(chunk, taken: taken + count, producer)
                } else {
                    contents.state = .empty(isStarved: false)
                    producer.resume(returning: true)
                }
                return .bytes(count)
            case .complete: return .end
            case .failed, .ended: return .failed
            }
        }
    }

    /// Records that the transfer has ended, and stops the producer.
    func end() {
        let task = contents.withLock { contents in
            switch contents.state {
            case .chunk(_, _, let producer): producer.resume(returning: false)
            default: break
            }
            contents.state = .ended
            return contents.task.take()
        }
        task?.cancel()
    }

    private func run(_ upload: HTTPUpload) async {
        do {
            try await upload.produce(send)
            let count = contents.withLock { $0.byteCount }
            if let length, count < length {
                throw Failure(description: "it has \(count) bytes instead of \(length)")
            }
            update(.complete)
        } catch {
            update(.failed("\(error)"))
        }
    }

    /// Waits until libcurl has taken a chunk.
    @Sendable
    private func send(_ chunk: [UInt8]) async throws {
        if chunk.isEmpty { return }
        let count = contents.withLock { contents in
            contents.byteCount += chunk.count
            return contents.byteCount
        }
        if let length, count > length {
            throw Failure(description: "it has more than \(length) bytes")
        }
        let isTaken = await withUnsafeContinuation { producer in
            if !update(.chunk(chunk, taken: 0, producer)) { producer.resume(returning: false) }
        }
        guard isTaken else { throw CancellationError() }
        progress?(HTTPProgress(completedBytes: count, totalBytes: length))
    }

    /// Replaces an empty state, and resumes the transfer if libcurl was waiting for it. Returns
    /// false if the transfer has ended.
    @discardableResult
    private func update(_ state: State) -> Bool {
        let wasStarved = contents.withLock { contents -> Bool? in
            guard case .empty(let isStarved) = contents.state else { return nil }
            contents.state = state
            return isStarved
        }
        if wasStarved == true { loop.resume(id) }
        return wasStarved != nil
    }
}
