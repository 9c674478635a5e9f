import Foundation
import SystemSupport
import Testing

@Suite("Diagnostic output", .timeLimit(.minutes(10)))
struct DiagnosticOutputTests {
    private static let line = String(repeating: "x", count: 99)

    private func output(_ descriptor: Int32) -> DiagnosticOutput {
        DiagnosticOutput(descriptor, maximumBytes: 10_000) { "\($0) dropped" }
    }

    private func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("lines arrive in order, and after a flush all of them have arrived")
    func order() {
        let pipe = Pipe()
        let output = output(pipe.writer)
        for number in 0..<50 { output.write("line \(number)") }
        output.flush(atMost: .seconds(60))
        #expect(lines(pipe.readAvailable()) == (0..<50).map { "line \($0)" })
    }

    @Test("a reader that does not read stops nothing; lines are dropped, and counted later")
    func stalledReader() throws {
        let pipe = Pipe()
        let output = output(pipe.writer)
        let count = 10_000
        for _ in 0..<count { output.write(Self.line) }
        output.flush(atMost: .milliseconds(1))
        // Each line is written or counted. While the pipe fills up, there may be several counts.
        var read: [UInt8] = []
        var dropped = 0
        try wait {
            read += pipe.readAvailable()
            guard read.last == UInt8(ascii: "\n") else { return false }
            let found = lines(read)
            dropped = found.reduce(0) { $0 + (Int($1.split(separator: " ")[0]) ?? 0) }
            return found.count { $0 == Self.line } + dropped == count
        }
        // A pipe has 64 KiB, and 10,000 bytes wait twice: in the thread, and for it.
        #expect(dropped >= count - 1_000)
        output.write("after")
        output.flush(atMost: .seconds(60))
        #expect(lines(pipe.readAvailable()) == ["after"])
    }

    @Test("the end of the reader is ignored")
    func closedReader() {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        let output = output(ends[1])
        for _ in 0..<1_000 { output.write(Self.line) }
        output.flush(atMost: .seconds(60))
        close(ends[1])
    }

    @Test("lines for a file are written at once, also by several threads")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.path + "/lines-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let output = output(file)
        DispatchQueue.concurrentPerform(iterations: 1_000) { output.write("line \($0)") }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let found = Set(text.split(separator: "\n").map(String.init))
        #expect(found == Set((0..<1_000).map { "line \($0)" }))
        close(file)
    }
}
