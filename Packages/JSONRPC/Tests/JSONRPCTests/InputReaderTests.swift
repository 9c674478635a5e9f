import Foundation
import Synchronization
import SystemSupport
import Testing

@testable import JSONRPC

@Suite("Input reader", .timeLimit(.minutes(10)))
struct InputReaderTests {
    @Test("input that arrives while the reader spins is read without blocking")
    func spinning() async throws {
        try await Self.withPipe { input, output in
            var reader = Self.spinningReader(of: input, output)
            let isReadyToRead = Semaphore()
            Thread.detachNewThread {
                isReadyToRead.wait()
                Self.write("soon", to: output)
            }
            isReadyToRead.signal()
            let switches = Self.voluntarySwitches
            #expect(Self.read(&reader) == "soon")
            #expect(Self.voluntarySwitches == switches)
        }
    }

    @Test("after spinning without success, the reader blocks, also for the next input")
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
        "the end of input is detected while blocking and while spinning",
        arguments: [false, true],
        [EAGAIN, EINTR]
    )
    func end(isSpinning: Bool, oldError: Int32) throws {
        let (input, output) = try Self.pipe()
        defer { close(input) }
        var reader = InputReader(descriptor: input)
        #expect(!reader.isSpinning)
        if isSpinning {
            Self.write("last", to: output)
            #expect(Self.read(&reader) == "last")
        }
        close(output)
        // The error of an earlier system call must not matter.
        errno = oldError
        #expect(Self.read(&reader) == "")
    }

    @Test("the reader waits for a non-blocking descriptor")
    func nonBlocking() async throws {
        try await Self.withPipe { input, output in
            #expect(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
            var reader = InputReader(descriptor: input)
            #expect(Self.readLate(&reader, output) == "late")
        }
    }

    @Test("a Unix signal does not end the wait for input", arguments: [0, O_NONBLOCK])
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

    @Test("an invalid descriptor is an error")
    func broken() {
        var reader = InputReader(descriptor: -1)
        #expect(Self.read(&reader) == nil)
    }

    @Test("a connection logs why its input could not be read")
    func unreadable() async throws {
        let directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        let lines = Mutex<[String]>([])
        let connection = Connection(over: Transport(input: directory, output: directory)) { line in
            lines.withLock { $0.append(line) }
        }
        #expect(await connection.run() == .endOfInput)
        #expect(
            lines.withLock(\.self) == ["reading the input failed: \(SystemError(code: EISDIR))"]
        )
    }

    private static func pipe() throws -> (input: Int32, output: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(Foundation.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private static func write(_ text: String, to descriptor: Int32) {
        #expect(Foundation.write(descriptor, text, text.utf8.count) == text.utf8.count)
    }

    /// A reader that spins, because input arrived immediately.
    private static func spinningReader(of input: Int32, _ output: Int32) -> InputReader {
        var reader = InputReader(descriptor: input)
        reader.spinDuration = .seconds(60)
        write("first", to: output)
        #expect(read(&reader) == "first")
        #expect(reader.isSpinning)
        return reader
    }

    /// Nil after an error.
    private static func read(_ reader: inout InputReader) -> String? {
        withUnsafeTemporaryAllocation(byteCount: 100, alignment: 1) { buffer in
            let count = reader.read(into: buffer)
            return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    /// The text that is read if it is written only when this thread blocks.
    private static func readLate(_ reader: inout InputReader, _ output: Int32) -> String? {
        readLate(&reader) { write("late", to: output) }
    }

    /// The text that is read if `body` runs only when this thread blocks.
    private static func readLate(
        _ reader: inout InputReader,
        _ body: @escaping @Sendable () -> Void
    ) -> String? {
        BlockedThread.whenCurrentThreadBlocks(body)
        return read(&reader)
    }

    /// How often this thread has blocked.
    private static var voluntarySwitches: Int {
        let rusageThread: Int32 = 1
        var usage = rusage()
        getrusage(rusageThread, &usage)
        return usage.ru_nvcsw
    }

    /// Runs `body` on a new thread: threads of the pool must not block.
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
