import Foundation
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
        let writer = MessageWriter(
            descriptor: ends[0],
            room: OutputRoom(limit: 1 << 20),
            events: .init(onFailure: {}, onRoom: {})
        )
        for number in 0..<100 { writer.send(Array("\(number)".utf8)) }
        var packets: [String] = []
        while packets.joined().count(where: { $0 == "\n" }) < 100 {
            let packet = try #require(Self.packet(ends[1]))
            if full > 0 { full -= 1 } else { packets.append(packet) }
        }
        #expect(packets.joined() == (0..<100).map { "\($0)\n" }.joined())
        #expect(packets.count <= 2)
        writer.stop()
    }

    private static func packet(_ end: Int32) -> String? {
        var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 20_000) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(end, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
