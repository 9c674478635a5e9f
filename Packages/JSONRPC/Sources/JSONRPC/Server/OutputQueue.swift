import JSON

/// Framed messages that wait to be written, in parts that one system call takes.
struct OutputQueue {
    /// Small messages share a part: copying them is cheaper than a call for each. A large one is a
    /// part by itself: a copy of megabytes is not cheap.
    static let fullPart = 64 << 10

    private var parts: [ArraySlice<UInt8>] = []
    private var begun: ArraySlice<UInt8>?
    /// How many bytes wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Takes a message; gives the number of bytes that it is with its framing.
    mutating func append(_ message: JSONFragment, _ framing: Framing) -> Int {
        let before = count
        if framing == .headers {
            share("Content-Length: ".utf8)
            share(String(message.count).utf8)
            share("\r\n\r\n".utf8)
        }
        message.forEachPiece { append($0) }
        if framing == .lines { share(CollectionOfOne(UInt8(ascii: "\n"))) }
        return count - before
    }

    private mutating func append(_ piece: ArraySlice<UInt8>) {
        if piece.count < Self.fullPart { return share(piece) }
        parts.append(piece)
        count += piece.count
    }

    private mutating func share(_ bytes: some Collection<UInt8>) {
        let last = parts.count - 1
        if last >= 0, parts[last].count < Self.fullPart {
            parts[last].append(contentsOf: bytes)
        } else {
            var part: ArraySlice<UInt8> = []
            part.reserveCapacity(1 << 10)
            part.append(contentsOf: bytes)
            parts.append(part)
        }
        count += bytes.count
    }

    /// Takes out what is to be written first.
    mutating func popFirst() -> ArraySlice<UInt8>? {
        let first = begun ?? (parts.isEmpty ? nil : parts.removeFirst())
        begun = nil
        count -= first?.count ?? 0
        return first
    }

    /// Gives back what could not be written of what was taken out.
    mutating func putBack(_ rest: ArraySlice<UInt8>) {
        begun = rest
        count += rest.count
    }
}
