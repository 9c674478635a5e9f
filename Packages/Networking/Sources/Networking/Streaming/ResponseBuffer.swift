import Synchronization

/// The part of a streamed body that has arrived but has not been read.
///
/// The transfer appends to it, and one reader takes from it. While it is full, libcurl is paused,
/// so that its size is bounded.
final class ResponseBuffer: StreamedBody {
    typealias Chunk = Result<[UInt8]?, HTTPClientError>
    private typealias Reader = UnsafeContinuation<Chunk, Never>

    /// The number of bytes from which on the buffer is full. What libcurl read last may exceed it: 16 KiB
    /// before decompression, or as many bytes as this if the request asked for `identity`.
    static let capacity = 128 << 10

    private enum State {
        /// The transfer may append bytes.
        case open
        /// A reader waits for bytes. The buffer is empty.
        case awaited(Reader)
        /// The transfer has ended, with an error that has not been reported yet.
        case ended(HTTPClientError?)
    }

    private struct Contents {
        var state = State.open
        var bytes: [UInt8] = []
        var isFull: Bool { bytes.count >= ResponseBuffer.capacity }

        mutating func append(_ new: UnsafeRawBufferPointer) {
            // Growing step by step would copy the bytes several times. A short chunk stays short, because
            // its reader may keep it.
            if bytes.count + new.count > ResponseBuffer.capacity / 8 {
                bytes.reserveCapacity(ResponseBuffer.capacity)
            }
            bytes.append(contentsOf: new)
        }

        /// Ends the transfer. Returns whether it was open, and the waiting reader, which must get
        /// the error. If no reader waits, the next reader gets the error.
        mutating func end(_ error: HTTPClientError?) -> (wasOpen: Bool, reader: Reader?) {
            switch state {
            case .open:
                state = .ended(error)
                return (true, nil)
            case .awaited(let reader):
                state = .ended(nil)
                return (true, reader)
            case .ended: return (false, nil)
            }
        }
    }

    private let loop: CurlLoop
    private let id: UInt64
    /// No continuation is resumed under this lock: the runtime takes a lock of the task for that, and
    /// holds the same lock when it calls a cancellation handler, which takes this one.
    private let contents = Mutex(Contents())

    init(_ loop: CurlLoop, id: UInt64) { (self.loop, self.id) = (loop, id) }

    /// Whether the transfer must pause. After the reader has emptied a full buffer, it resumes the
    /// transfer.
    var isFull: Bool { contents.withLock { $0.isFull } }

    /// Appends bytes, or passes them to the waiting reader.
    func append(_ bytes: UnsafeRawBufferPointer) {
        let reader = contents.withLock { contents -> Reader? in
            switch contents.state {
            case .open: contents.append(bytes)
            case .awaited(let reader):
                contents.state = .open
                return reader
            case .ended: break
            }
            return nil
        }
        reader?.resume(returning: .success(Array(bytes)))
    }

    /// Records that the transfer has ended. The reader receives the rest of the bytes and then the
    /// error.
    func end(_ error: HTTPClientError?) {
        let reader = contents.withLock { $0.end(error).reader }
        reader?.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }

    func cancel() {
        let error = HTTPClientError(.cancelled, mayHaveBeenSent: true)
        let (wasOpen, reader) = contents.withLock { contents in
            contents.bytes = []
            return contents.end(error)
        }
        reader?.resume(returning: .failure(error))
        if wasOpen { loop.cancel(id) }
    }

    nonisolated(nonsending) func next() async throws(HTTPClientError) -> [UInt8]? {
        if Task.isCancelled {
            cancel()
            // The reader gets the error below, so no later call throws the error of the transfer.
            contents.withLock { $0.state = .ended(nil) }
            throw HTTPClientError(.cancelled, mayHaveBeenSent: true)
        }
        if let chunk = take(reader: nil) { return try chunk.get() }
        let chunk = await withTaskCancellationHandler {
            await withUnsafeContinuation { reader in
                if let chunk = take(reader: reader) { reader.resume(returning: chunk) }
            }
        } onCancel: {
            cancel()
        }
        return try chunk.get()
    }

    /// Takes all bytes. If there is no byte, and the transfer goes on, returns nil, and `reader` waits
    /// for them.
    private func take(reader: Reader?) -> Chunk? {
        let (chunk, wasFull) = contents.withLock { contents -> (Chunk?, Bool) in
            if !contents.bytes.isEmpty {
                let wasFull = contents.isFull
                defer { contents.bytes = [] }
                return (.success(contents.bytes), wasFull)
            }
            switch contents.state {
            case .open:
                if let reader { contents.state = .awaited(reader) }
                return (nil, false)
            case .awaited:
                let detail = "a different task is reading this response"
                return (
                    .failure(HTTPClientError(.other, mayHaveBeenSent: true, detail: detail)), false
                )
            case .ended(let error):
                contents.state = .ended(nil)
                return (error.map { .failure($0) } ?? .success(nil), false)
            }
        }
        if wasFull { loop.resume(id) }
        return chunk
    }
}
