import Foundation
import JSON
import Synchronization
import SystemSupport
import SystemTestSupport
import Testing

@testable import JSONRPC

@Suite("Message writer", .timeLimit(.minutes(10)))
struct MessageWriterTests {
    @Test("messages queued during a write are written together")
    func together() throws {
        // With SOCK_SEQPACKET, each write arrives as one packet.
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        // Fill the socket, so that the first write waits until all messages are queued.
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

    @Test("replies to requests that arrive together are written together")
    func repliesTogether() async throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        let (client, server) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        let running = Connection(over: Transport(input: server, output: server))
        async let reason = running.run()
        let request = #"{"jsonrpc":"2.0","id":1,"method":"unknown"}"# + "\n"
        let both = request + request
        await onThread {
            #expect(write(client, both, both.utf8.count) == both.utf8.count)
            #expect(Self.packet(client)?.split(separator: "\n").count == 2)
            shutdown(client, Int32(SHUT_WR))
        }
        #expect(await reason == .endOfInput)
    }

    @Test("a sender never blocks: the rest is written later, completely and in order")
    func fullPipe() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let writer = Self.writer(ends[1])
        // More than the pipe holds, sent before the test reads.
        let messages = (0..<20).map { number in
            Array(String(repeating: "\(number % 10)", count: number % 2 == 0 ? 10 : 100_000).utf8)
        }
        for message in messages { writer.send(JSONFragment(trusted: message)) }
        let expected = messages.flatMap { $0 + Array("\n".utf8) }
        let input = ends[0]
        await onThread {
            var read: [UInt8] = []
            while read.count < expected.count, let packet = Self.packet(input) {
                read += packet.utf8
            }
            #expect(read == expected)
        }
        writer.stop()
    }

    @Test("messages of a corked thread are written at uncork; other threads are not affected")
    func corked() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        let writer = Self.writer(output)
        await onThread {
            writer.cork()
            for text in ["a", "b"] { writer.send(JSONFragment(trusted: Array(text.utf8))) }
            var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 0) == 0)
            writer.uncork()
            #expect(Self.packet(input) == "a\nb\n")
            writer.cork()
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

    @Test("a full chunk is written even while the writer is corked")
    func corkedTooMuch() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        let writer = Self.writer(output)
        await onThread {
            writer.cork()
            writer.send(
                JSONFragment(trusted: [UInt8](repeating: 0x61, count: OutputQueue.chunkSize))
            )
            #expect(Self.packet(input)?.isEmpty == false)
        }
        writer.stop()
    }

    @Test("flush returns only when everything is written")
    func flush() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        let writer = Self.writer(output)
        await writer.flush()
        let message = [UInt8](repeating: 0x61, count: 1 << 20)
        writer.send(JSONFragment(trusted: message))
        let hasFlushed = Atomic(false)
        async let flushed: Void = {
            await writer.flush()
            hasFlushed.store(true, ordering: .sequentiallyConsistent)
        }()
        await onThread {
            var count = 0
            while count <= message.count - (1 << 18), let packet = Self.packet(input) {
                count += packet.utf8.count
            }
            // The unread rest is larger than the pipe.
            let isEarly = hasFlushed.load(ordering: .sequentiallyConsistent)
            #expect(!isEarly)
            while count <= message.count, let packet = Self.packet(input) {
                count += packet.utf8.count
            }
            #expect(count == message.count + 1)
        }
        await flushed
        writer.stop()
    }

    @Test("a closed output is reported once, and flush returns")
    func closedOutput() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { close(output) }
        let failures = Atomic(0)
        let hasFailed = Semaphore()
        let writer = Self.writer(
            output,
            onFailure: {
                failures.add(1, ordering: .sequentiallyConsistent)
                hasFailed.signal()
            }
        )
        signal(SIGPIPE, SIG_IGN)
        close(input)
        writer.send(JSONFragment(trusted: Array("1".utf8)))
        await onThread { hasFailed.wait() }
        writer.send(JSONFragment(trusted: Array("2".utf8)))
        await writer.flush()
        writer.stop()
        let count = failures.load(ordering: .sequentiallyConsistent)
        #expect(count == 1)
    }

    @Test("waiting for a slow peer uncorks the writer first")
    func waitForPeer() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        defer { for end in ends { close(end) } }
        let backpressure = OutputBackpressure(limit: 10)
        let writer = Self.writer(output, backpressure)
        let hasRead = Semaphore()
        await onThread {
            writer.cork()
            writer.send(JSONFragment(trusted: Array("1".utf8)))
            writer.waitForPeer()
            // Below the high watermark, the writer stays corked.
            var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            #expect(poll(&entry, 1, 0) == 0)
            let message = [UInt8](repeating: 0x61, count: 1 << 20)
            writer.send(JSONFragment(trusted: message))
            BlockedThread.whenCurrentThreadBlocks {
                var count = 0
                while count < message.count, let packet = Self.packet(input) {
                    count += packet.utf8.count
                }
                hasRead.signal()
            }
            writer.waitForPeer()
            #expect(!backpressure.isOverHighWatermark)
            // Otherwise it would read from whatever has the number of the closed descriptor.
            hasRead.wait()
        }
        writer.stop()
    }

    @Test("stopping the writer ends the wait for a peer that does not read")
    func stopWhileWaiting() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let backpressure = OutputBackpressure(limit: 10)
        let writer = Self.writer(ends[1], backpressure)
        await onThread {
            writer.cork()
            writer.send(JSONFragment(trusted: [UInt8](repeating: 0x61, count: 1 << 20)))
            BlockedThread.whenCurrentThreadBlocks { writer.stop() }
            writer.waitForPeer()
        }
        #expect(backpressure.isOverHighWatermark)
    }

    @Test("reports once that there is capacity again")
    func capacity() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let reports = Atomic(0)
        let writer = Self.writer(ends[1], OutputBackpressure(limit: 4)) {
            reports.add(1, ordering: .sequentiallyConsistent)
        }
        writer.send(JSONFragment(trusted: Array("12".utf8)))
        await writer.flush()
        let below = reports.load(ordering: .sequentiallyConsistent)
        #expect(below == 0)
        writer.send(JSONFragment(trusted: Array("123".utf8)))
        await writer.flush()
        let reached = reports.load(ordering: .sequentiallyConsistent)
        #expect(reached == 1)
        writer.stop()
    }

    private static func writer(
        _ descriptor: Int32,
        _ backpressure: OutputBackpressure = OutputBackpressure(limit: 1 << 20),
        onCapacity: @escaping @Sendable () -> Void = {},
        onFailure: @escaping @Sendable () -> Void = {}
    ) -> MessageWriter {
        MessageWriter(
            transport: Transport(input: -1, output: descriptor),
            backpressure: backpressure,
            events: .init(onFailure: onFailure, onCapacity: onCapacity)
        )
    }

    private static func packet(_ end: Int32) -> String? {
        var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(end, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
