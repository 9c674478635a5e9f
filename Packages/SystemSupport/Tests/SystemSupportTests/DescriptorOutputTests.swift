import Glibc
import Synchronization
import SystemSupport
import Testing

/// How often the handler of SIGUSR1 ran.
private let deliveredSignals = Atomic<Int>(0)

@Suite(.serialized) struct DescriptorOutputTests {
    /// Larger than a pipe's buffer, and without a repeating pattern.
    private let message = (0..<1_000_000).map {
        UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 16)
    }

    @Test func `A message larger than a pipe arrives whole`() throws {
        let pipe = Pipe()
        let result = try write(message, to: pipe)
        #expect(pipe.read(message.count) == message)
        #expect(result.value == nil)
    }

    @Test func `A message larger than a non-blocking pipe arrives whole`() throws {
        let pipe = Pipe(isNonBlocking: true)
        let result = try write(message, to: pipe)
        try wait { pipe.isFull }
        #expect(pipe.read(message.count) == message)
        #expect(result.value == nil)
    }

    @Test(arguments: [false, true])
    func `A write continues after signals interrupt it`(isNonBlocking: Bool) throws {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in deliveredSignals.add(1, ordering: .relaxed) }
        // Without SA_RESTART, the blocked call fails with EINTR.
        sigaction(SIGUSR1, &action, nil)
        let pipe = Pipe(isNonBlocking: isNonBlocking)
        let writer = Mutex<(id: pthread_t, directory: String)?>(nil)
        let result = try write(message, to: pipe) {
            // A new thread inherits the signal mask, and the threads of the tests block this
            // signal.
            var signals = sigset_t()
            sigaddset(&signals, SIGUSR1)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            writer.withLock { $0 = (pthread_self(), currentThreadDirectory()) }
        }
        try wait { pipe.isFull }
        let thread = try #require(writer.withLock { $0 })
        // The first signal interrupts a call that has written some bytes, the others a call that
        // has written none.
        for _ in 0..<3 {
            try wait { isSleeping(thread.directory) }
            let count = deliveredSignals.load(ordering: .relaxed)
            pthread_kill(thread.id, SIGUSR1)
            try wait { deliveredSignals.load(ordering: .relaxed) > count }
        }
        #expect(pipe.read(message.count) == message)
        #expect(result.value == nil)
    }

    @Test func `Writing to a pipe without a reader is an error, not a signal`() throws {
        let pipe = Pipe()
        let closed = dup(pipe.writer)
        close(pipe.reader)
        let error = try ThreadResult { Self.error(writing: [1], to: closed) }.value
        #expect(error == SystemError(code: EPIPE))
        close(closed)
    }

    @Test func `A full disk is reported`() {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect(Self.error(writing: [1], to: full) == SystemError(code: ENOSPC))
        #expect("\(SystemError(code: ENOSPC))" == "No space left on device")
    }

    @Test func `Writing no bytes does not use the descriptor`() {
        #expect(Self.error(writing: [], to: -1) == nil)
    }

    @Test func `A write at an offset changes neither the bytes before it nor the position`() throws
    {
        var name = Array("/tmp/SystemSupport-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        defer {
            close(file)
            unlink(name)
        }
        try DescriptorOutput.writeAll([UInt8]("abcdef".utf8).span.bytes, to: file)
        let position = lseek(file, 0, SEEK_CUR)
        try DescriptorOutput.writeAll([UInt8]("XY".utf8).span.bytes, to: file, at: 2)
        #expect(lseek(file, 0, SEEK_CUR) == position)
        var content = [UInt8](repeating: 0, count: 7)
        let count = pread(file, &content, content.count, 0)
        #expect(String(decoding: content.prefix(count), as: UTF8.self) == "abXYef")
    }

    private static func error(writing bytes: [UInt8], to descriptor: Int32) -> SystemError? {
        do {
            try DescriptorOutput.writeAll(bytes.span.bytes, to: descriptor)
            return nil
        } catch {
            return error
        }
    }

    /// Writes on a separate thread, because the write may block.
    private func write(
        _ message: [UInt8],
        to pipe: Pipe,
        starting: @escaping @Sendable () -> Void = {}
    ) throws -> ThreadResult<SystemError?> {
        try ThreadResult {
            starting()
            return Self.error(writing: message, to: pipe.writer)
        }
    }
}

private func currentThreadDirectory() -> String {
    var path = [CChar](repeating: 0, count: 64)
    readlink("/proc/thread-self", &path, path.count - 1)
    return "/proc/" + String(decoding: path.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
}

/// Whether a thread is sleeping. `directory` is its directory in `/proc`.
private func isSleeping(_ directory: String) -> Bool {
    var content = [UInt8](repeating: 0, count: 256)
    let file = open(directory + "/stat", O_RDONLY | O_CLOEXEC)
    let count = max(read(file, &content, content.count), 0)
    close(file)
    // The state follows the name, which is in parentheses.
    let name = content.prefix(count).lastIndex(of: UInt8(ascii: ")"))
    return name.map { $0 + 2 < count && content[$0 + 2] == UInt8(ascii: "S") } ?? false
}
