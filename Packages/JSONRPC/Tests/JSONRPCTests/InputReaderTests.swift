import Foundation
import Testing

@testable import JSONRPC

@Suite("The reader of the input", .timeLimit(.minutes(1)))
struct InputReaderTests {
    @Test("input that follows soon is received without blocking")
    func spinning() async throws {
        try await Self.withPipe { input, output in
            var reader = Self.spinningReader(of: input, output)
            let isAboutToRead = Semaphore()
            Thread.detachNewThread {
                isAboutToRead.wait()
                Self.write("soon", to: output)
            }
            isAboutToRead.signal()
            let switches = Self.voluntarySwitches
            #expect(Self.read(&reader) == "soon")
            #expect(Self.voluntarySwitches == switches)
        }
    }

    @Test("after one miss, the reader blocks, also for the next input")
    func miss() async throws {
        try await Self.withPipe { input, output in
            var reader = Self.spinningReader(of: input, output)
            reader.spinDuration = .zero
            #expect(Self.readLate(&reader, output) == "late")
            #expect(!reader.isSpinning)
            reader.spinDuration = .seconds(60)
            #expect(Self.readLate(&reader, output) == "late")
        }
    }

    @Test(
        "the end of the input is found while blocking and while spinning",
        arguments: [false, true]
    )
    func end(isSpinning: Bool) throws {
        let (input, output) = try Self.pipe()
        defer { close(input) }
        var reader = InputReader(descriptor: input)
        #expect(!reader.isSpinning)
        if isSpinning {
            Self.write("last", to: output)
            #expect(Self.read(&reader) == "last")
        }
        close(output)
        // An error of an earlier call does not matter.
        errno = EAGAIN
        #expect(Self.read(&reader) == "")
    }

    @Test("a non-blocking descriptor is waited for")
    func nonBlocking() async throws {
        try await Self.withPipe { input, output in
            #expect(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
            var reader = InputReader(descriptor: input)
            #expect(Self.readLate(&reader, output) == "late")
        }
    }

    @Test("a signal does not end the wait for input", arguments: [0, O_NONBLOCK])
    func interrupted(flags: Int32) async throws {
        try await Self.withPipe { input, output in
            Interruption.handleSignal()
            #expect(fcntl(input, F_SETFL, flags) == 0)
            var reader = InputReader(descriptor: input)
            let thread = pthread_self()
            let late = Self.readLate(&reader) {
                Interruption.interrupt(thread)
                Self.write("late", to: output)
            }
            #expect(late == "late")
        }
    }

    @Test("a descriptor that cannot be read is an error")
    func broken() {
        var reader = InputReader(descriptor: -1)
        #expect(Self.read(&reader) == nil)
    }

    private static func pipe() throws -> (input: Int32, output: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(Foundation.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private static func write(_ text: String, to descriptor: Int32) {
        #expect(Foundation.write(descriptor, text, text.utf8.count) == text.utf8.count)
    }

    /// A reader that found input immediately, and spins for more.
    private static func spinningReader(of input: Int32, _ output: Int32) -> InputReader {
        var reader = InputReader(descriptor: input)
        reader.spinDuration = .seconds(60)
        write("first", to: output)
        #expect(read(&reader) == "first")
        #expect(reader.isSpinning)
        return reader
    }

    /// Nil if it cannot be read.
    private static func read(_ reader: inout InputReader) -> String? {
        withUnsafeTemporaryAllocation(byteCount: 100, alignment: 1) { buffer in
            let count = reader.read(into: buffer)
            return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    /// What is read if it is written once this thread blocks.
    private static func readLate(_ reader: inout InputReader, _ output: Int32) -> String? {
        readLate(&reader) { write("late", to: output) }
    }

    /// What is read if `body` runs once this thread blocks.
    private static func readLate(
        _ reader: inout InputReader,
        _ body: @escaping @Sendable () -> Void
    ) -> String? {
        BlockedThread.whenThisOneBlocks(body)
        return read(&reader)
    }

    /// How often this thread gave up its processor to wait.
    private static var voluntarySwitches: Int {
        let ofThisThread: Int32 = 1
        var usage = rusage()
        getrusage(ofThisThread, &usage)
        return usage.ru_nvcsw
    }

    /// Runs `body` on a thread of its own: threads of the pool must not block.
    private static func withPipe(
        _ body: @escaping @Sendable (_ input: Int32, _ output: Int32) -> Void
    ) async throws {
        let (input, output) = try pipe()
        defer { for end in [input, output] { close(end) } }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body(input, output)
                continuation.resume()
            }
        }
    }
}
