import Foundation
import JSON
import Testing

@testable import JSONRPC

@Suite("The writer", .timeLimit(.minutes(1)))
struct MessageWriterTests {
    @Test("messages that are ready together leave in one write")
    func together() throws {
        // Each write to such a socket is one packet at its other end.
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        // The first write has to wait until we read, so that the others are ready by then.
        var full = 0
        while write(ends[0], "x", 1) == 1 { full += 1 }
        let writer = Self.writer(ends[0])
        for number in 0..<100 { writer.send(JSONFragment(trusted: Array("\(number)".utf8))) }
        var packets: [String] = []
        while packets.joined().count(where: { $0 == "\n" }) < 100 {
            let packet = try #require(Self.packet(ends[1]))
            if full > 0 { full -= 1 } else { packets.append(packet) }
        }
        #expect(packets.joined() == (0..<100).map { "\($0)\n" }.joined())
        #expect(packets.count <= 2)
        writer.stop()
    }

    @Test("a sender never waits: what the pipe does not take follows, whole and in order")
    func fullPipe() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let writer = Self.writer(ends[1])
        // More than a pipe holds, sent while nobody reads.
        let messages = (0..<20).map { number in
            Array(String(repeating: "\(number % 10)", count: number % 2 == 0 ? 10 : 100_000).utf8)
        }
        for message in messages { writer.send(JSONFragment(trusted: message)) }
        let expected = messages.flatMap { $0 + Array("\n".utf8) }
        let input = ends[0]
        await Self.onAThread {
            var read: [UInt8] = []
            while read.count < expected.count, let packet = Self.packet(input) {
                read += packet.utf8
            }
            #expect(read == expected)
        }
        writer.stop()
    }

    @Test("what a thread sends while it holds leaves when it lets go; another's does not wait")
    func held() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        let writer = Self.writer(output)
        await Self.onAThread {
            writer.hold()
            for text in ["a", "b"] { writer.send(JSONFragment(trusted: Array(text.utf8))) }
            var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 0) == 0)
            writer.letGo()
            #expect(Self.packet(input) == "a\nb\n")
            writer.hold()
            writer.send(JSONFragment(trusted: Array("c".utf8)))
            let isSent = Semaphore()
            Thread.detachNewThread {
                writer.send(JSONFragment(trusted: Array("d".utf8)))
                isSent.signal()
            }
            isSent.wait()
            #expect(Self.packet(input) == "c\nd\n")
        }
        writer.stop()
    }

    @Test("a thread that holds and sends more than a part does not keep it all")
    func heldTooMuch() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        let writer = Self.writer(output)
        await Self.onAThread {
            writer.hold()
            writer.send(
                JSONFragment(trusted: [UInt8](repeating: 0x61, count: OutputQueue.fullPart))
            )
            #expect(Self.packet(input)?.isEmpty == false)
        }
        writer.stop()
    }

    private static func writer(_ descriptor: Int32) -> MessageWriter {
        MessageWriter(
            descriptor: descriptor,
            room: OutputRoom(limit: 1 << 20),
            events: .init(onFailure: {}, onRoom: {})
        )
    }

    private static func onAThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }

    private static func packet(_ end: Int32) -> String? {
        var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 20_000) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(end, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
