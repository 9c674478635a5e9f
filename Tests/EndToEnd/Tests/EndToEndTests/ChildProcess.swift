import Foundation
import Synchronization
import SystemTestSupport

/// A process with pipes for its standard input and output, and a file for its standard error.
final class ChildProcess: Sendable {
    private let process: SpawnedProcess
    private let input: FileHandle
    private let output: Int32
    private let outputHandle: FileHandle
    private let errorsPath: String
    private let pending = Mutex<[UInt8]>([])

    var processID: Int32 { process.id }

    init(_ program: String, _ arguments: [String], environment: [String: String]? = nil) throws {
        // Without this, writing to a child that has ended would kill the tests.
        signal(SIGPIPE, SIG_IGN)
        errorsPath = FileManager.default.temporaryDirectory.path + "/stderr-\(UUID().uuidString)"
        process = try SpawnedProcess([program] + arguments, environment, errors: errorsPath)
        input = FileHandle(fileDescriptor: process.input, closeOnDealloc: true)
        outputHandle = FileHandle(fileDescriptor: process.output, closeOnDealloc: true)
        output = process.output
    }

    deinit {
        if process.isRunning { process.signal(SIGTERM) }
        try? FileManager.default.removeItem(atPath: errorsPath)
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) { try? input.write(contentsOf: Data(bytes)) }

    /// Closes our end of the process's standard output, so that the process gets EPIPE when it
    /// writes.
    func closeOutput() { try? outputHandle.close() }

    /// Whether the process writes nothing for this time.
    func isSilent(milliseconds: Int32) async -> Bool {
        await onThread { [output] in
            var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, milliseconds) == 0
        }
    }

    /// The next message with a Content-Length header.
    func framedMessage() async -> String? {
        guard let header = await line(), await line() == "\r",
            let length = header.split(separator: " ").last.flatMap({ Int($0.dropLast()) })
        else { return nil }
        return await onThread { self.read(length) }
    }

    private func read(_ count: Int) -> String? {
        while pending.withLock({ $0.count < count }) { if !readMore() { return nil } }
        return pending.withLock { pending in
            defer { pending.removeFirst(count) }
            return String(decoding: pending[..<count], as: UTF8.self)
        }
    }

    func endInput() { try? input.close() }

    func kill() {
        process.signal(SIGKILL)
        _ = process.waitForExit()
    }

    /// The next line; nil at the end of the output, or if nothing arrives for a minute.
    func line() async -> String? { await onThread { self.readLine() } }

    func terminate() { process.signal(SIGTERM) }

    var hasEnded: Bool { !process.isRunning }

    /// Whether the process ends within this time.
    func hasEnded(withinSeconds seconds: TimeInterval) async -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        return await onThread { self.process.hasEnded(by: deadline) }
    }

    /// Blocks until the process has ended, and returns its exit code; for synchronous callers.
    func waitForExit() -> Int32 { process.waitForExit() }

    /// Waits until the process has ended, and returns its exit code.
    func exitCode() async -> Int32 {
        await onThread { self.process.waitForExit() }
    }

    /// What the process has written to standard error so far.
    func standardError() -> String {
        (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? ""
    }

    /// All output that has not been read yet, up to its end.
    func remainingOutput() async -> String {
        await onThread {
            while self.readMore() {}
            return self.pending.withLock { String(decoding: $0, as: UTF8.self) }
        }
    }

    private func readLine() -> String? {
        while true {
            let line: String? = pending.withLock { pending in
                guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            if let line { return line }
            if !readMore() { return nil }
        }
    }

    private func readMore() -> Bool {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(output, &buffer, buffer.count)
        guard count > 0 else { return false }
        pending.withLock { $0 += buffer[..<count] }
        return true
    }
}
