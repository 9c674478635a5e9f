import JSON

/// Framed messages that wait to be written, in chunks for one system call each.
struct OutputQueue {
    /// Small messages share a chunk of about this size, in bytes: copying them is cheaper than a
    /// system call for each. A large message is a chunk of its own, because copying megabytes is not.
    static let chunkSize = 64 << 10

    private var chunks: [ArraySlice<UInt8>] = []
    /// The rest of a chunk that was written in part.
    private var partialChunk: ArraySlice<UInt8>?
    /// How many bytes wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a message; returns how many bytes it has with its framing.
    mutating func append(_ message: JSONFragment, _ framing: Framing) -> Int {
        let before = count
        if framing == .headers {
            appendSmall("Content-Length: ".utf8)
            appendSmall(String(message.count).utf8)
            appendSmall("\r\n\r\n".utf8)
        }
        message.forEachPiece { piece in
            if piece.count < Self.chunkSize { appendSmall(piece) } else { appendLarge(piece) }
        }
        if framing == .lines { appendSmall(CollectionOfOne(UInt8(ascii: "\n"))) }
        return count - before
    }

    private mutating func appendLarge(_ bytes: ArraySlice<UInt8>) {
        chunks.append(bytes)
        count += bytes.count
    }

    private mutating func appendSmall(_ bytes: some Collection<UInt8>) {
        let last = chunks.count - 1
        if last >= 0, chunks[last].count < Self.chunkSize {
            chunks[last].append(contentsOf: bytes)
        } else {
            var chunk: ArraySlice<UInt8> = []
            chunk.reserveCapacity(1 << 10)
            chunk.append(contentsOf: bytes)
            chunks.append(chunk)
        }
        count += bytes.count
    }

    /// Takes the chunk to write next; nil if nothing waits.
    mutating func popFirst() -> ArraySlice<UInt8>? {
        let first = partialChunk ?? (chunks.isEmpty ? nil : chunks.removeFirst())
        partialChunk = nil
        count -= first?.count ?? 0
        return first
    }

    /// Returns the rest of a chunk that could not be written yet.
    mutating func putBack(_ rest: ArraySlice<UInt8>) {
        partialChunk = rest
        count += rest.count
    }
}
