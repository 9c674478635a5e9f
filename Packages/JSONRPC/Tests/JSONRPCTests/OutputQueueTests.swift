import JSON
import Testing

@testable import JSONRPC

@Suite("Output queue")
struct OutputQueueTests {
    private func message(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 64 + 32) } }

    private func fragment(_ count: Int) -> JSONFragment { JSONFragment(trusted: message(count)) }

    private func framed(_ message: [UInt8], _ framing: FramingMode) -> [UInt8] {
        switch framing {
        case .auto, .lines: message + Array("\n".utf8)
        case .headers: Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
        }
    }

    @Test("messages of every size are framed, in order", arguments: [FramingMode.lines, .headers])
    func order(framing: FramingMode) {
        var queue = OutputQueue()
        var expected: [UInt8] = []
        let sizes = [0, 1, 65_535, 2, 65_536, 3, 200_000, 4, 5, 40_000, 40_000, 6]
        for size in sizes {
            let bytes = framed(message(size), framing)
            #expect(queue.append(fragment(size), framing) == bytes.count)
            expected += bytes
        }
        #expect(queue.count == expected.count)
        var written: [UInt8] = []
        while let chunk = queue.popFirst() {
            // Write a third of each chunk and put the rest back.
            let part = chunk.prefix(max(1, chunk.count / 3))
            written += part
            if part.count < chunk.count { queue.putBack(chunk.dropFirst(part.count)) }
            #expect(queue.count == expected.count - written.count)
        }
        #expect(written == expected && queue.count == 0)
    }

    @Test("small messages share a chunk; a large one becomes a chunk without copying")
    func chunks() throws {
        var queue = OutputQueue()
        for _ in 0..<100 { _ = queue.append(fragment(100), .lines) }
        let large = message(OutputQueue.chunkSize)
        _ = queue.append(JSONFragment(trusted: large), .lines)
        let (shared, single, end) = (queue.popFirst(), queue.popFirst(), queue.popFirst())
        #expect(shared?.count == 10_100 && end == Array("\n".utf8)[...] && queue.count == 0)
        let chunk = try #require(single)
        let isShared = chunk.withUnsafeBytes { chunk in
            large.withUnsafeBytes { $0.baseAddress == chunk.baseAddress }
        }
        #expect(isShared)
    }

    @Test(
        "large spliced bytes become a chunk without copying",
        arguments: [FramingMode.lines, .headers]
    )
    func splices(framing: FramingMode) throws {
        let text = String(repeating: "x", count: OutputQueue.chunkSize)
        let large = JSONFragment { $0.string(text) }.bytes
        let fragment = JSONFragment { writer in
            writer.array { writer in
                writer.integer(1)
                writer.splice(large[...])
                writer.integer(2)
            }
        }
        var queue = OutputQueue()
        let expected = framed(fragment.bytes, framing)
        #expect(queue.append(fragment, framing) == expected.count)
        let (before, single, after) = (queue.popFirst(), queue.popFirst(), queue.popFirst())
        #expect(queue.count == 0)
        let chunk = try #require(single)
        let isShared = chunk.withUnsafeBytes { chunk in
            large.withUnsafeBytes { $0.baseAddress == chunk.baseAddress }
        }
        #expect(isShared)
        #expect([before, single, after].flatMap { $0 ?? [] } == expected)
    }
}
