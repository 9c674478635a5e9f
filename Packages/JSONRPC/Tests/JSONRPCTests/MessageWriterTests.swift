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
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let pipe = try MessagePipe(socketKind: kind)
        defer { pipe.close() }
        // Fill the socket, so that the first write waits until all messages are queued.
        var full = 0
        while write(pipe.output, "x", 1) == 1 { full += 1 }
        let writer = Self.writer(pipe.output)
        for number in 0..<100 { writer.send(JSONFragment(trusted: Array("\(number)".utf8))) }
        var packets: [String] = []
        while packets.joined().count(where: { $0 == "\n" }) < 100 {
            let packet = try #require(pipe.packet())
            if full > 0 { full -= 1 } else { packets.append(packet) }
        }
        #expect(packets.joined() == (0..<100).map { "\($0)\n" }.joined())
        #expect(packets.count <= 2)
        writer.stop()
    }

    @Test("replies to requests that arrive together are written together")
    func repliesTogether() async throws {
        let pipe = try MessagePipe(socketKind: Int32(SOCK_SEQPACKET.rawValue))
        defer { pipe.close() }
        let (client, server) = (pipe.input, pipe.output)
        let running = Connection(over: Transport(input: server, output: server))
        async let reason = running.run()
        let request = #"{"jsonrpc":"2.0","id":1,"method":"unknown"}"# + "\n"
        let both = request + request
        await onThread {
            #expect(write(client, both, both.utf8.count) == both.utf8.count)
            #expect(pipe.packet()?.split(separator: "\n").count == 2)
            shutdown(client, Int32(SHUT_WR))
        }
        #expect(await reason == .endOfInput)
    }

    @Test("a sender never blocks: the rest is written later, completely and in order")
    func fullPipe() async throws {
        let pipe = try MessagePipe()
        defer { pipe.close() }
        let writer = Self.writer(pipe.output)
        // More than the pipe holds, sent before the test reads.
        let messages = (0..<20).map { number in
            Array(String(repeating: "\(number % 10)", count: number % 2 == 0 ? 10 : 100_000).utf8)
        }
        for message in messages { writer.send(JSONFragment(trusted: message)) }
        let expected = messages.flatMap { $0 + Array("\n".utf8) }
        await onThread {
            var read: [UInt8] = []
            while read.count < expected.count, let packet = pipe.packet() {
                read += packet.utf8
            }
            #expect(read == expected)
        }
        writer.stop()
    }

    @Test("messages of a corked thread are written at uncork; other threads are not affected")
    func corked() async throws {
        let pipe = try MessagePipe()
        defer { pipe.close() }
        let writer = Self.writer(pipe.output)
        await onThread {
            writer.cork()
            for text in ["a", "b"] { writer.send(JSONFragment(trusted: Array(text.utf8))) }
            #expect(pipe.isEmpty)
            writer.uncork()
            #expect(pipe.packet() == "a\nb\n")
            writer.cork()
            writer.send(JSONFragment(trusted: Array("c".utf8)))
            let isSent = Semaphore()
            Thread.detachNewThread {
                writer.send(JSONFragment(trusted: Array("d".utf8)))
                isSent.signal()
            }
            isSent.wait()
            #expect(pipe.packet() == "c\nd\n")
        }
        writer.stop()
    }

    @Test("a full chunk is written even while the writer is corked")
    func corkedTooMuch() async throws {
        let pipe = try MessagePipe()
        defer { pipe.close() }
        let writer = Self.writer(pipe.output)
        await onThread {
            writer.cork()
            writer.send(
                JSONFragment(trusted: [UInt8](repeating: 0x61, count: OutputQueue.chunkSize))
            )
            #expect(pipe.packet()?.isEmpty == false)
        }
        writer.stop()
    }

    @Test("flush returns only when everything is written")
    func flush() async throws {
        let pipe = try MessagePipe()
        defer { pipe.close() }
        let writer = Self.writer(pipe.output)
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
            while count <= message.count - (1 << 18), let packet = pipe.packet() {
                count += packet.utf8.count
            }
            // The unread rest is larger than the pipe.
            let isEarly = hasFlushed.load(ordering: .sequentiallyConsistent)
            #expect(!isEarly)
            while count <= message.count, let packet = pipe.packet() {
                count += packet.utf8.count
            }
            #expect(count == message.count + 1)
        }
        await flushed
        writer.stop()
    }

    @Test("a closed output is reported once, and flush returns")
    func closedOutput() async throws {
        let pipe = try MessagePipe()
        defer { close(pipe.output) }
        let failures = Atomic(0)
        let hasFailed = Semaphore()
        let writer = Self.writer(
            pipe.output,
            onFailure: {
                failures.add(1, ordering: .sequentiallyConsistent)
                hasFailed.signal()
            }
        )
        signal(SIGPIPE, SIG_IGN)
        close(pipe.input)
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
        let pipe = try MessagePipe()
        defer { pipe.close() }
        let backpressure = OutputBackpressure(limit: 10)
        let writer = Self.writer(pipe.output, backpressure)
        let hasRead = Semaphore()
        await onThread {
            writer.cork()
            writer.send(JSONFragment(trusted: Array("1".utf8)))
            writer.waitForPeer()
            // Below the high watermark, the writer stays corked.
            #expect(pipe.isEmpty)
            let message = [UInt8](repeating: 0x61, count: 1 << 20)
            writer.send(JSONFragment(trusted: message))
            BlockedThread.whenCurrentThreadBlocks {
                var count = 0
                while count < message.count, let packet = pipe.packet() {
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
        let pipe = try MessagePipe()
        defer { pipe.close() }
        let backpressure = OutputBackpressure(limit: 10)
        let writer = Self.writer(pipe.output, backpressure)
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
        let pipe = try MessagePipe()
        defer { pipe.close() }
        let reports = Atomic(0)
        let writer = Self.writer(pipe.output, OutputBackpressure(limit: 4)) {
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
}
