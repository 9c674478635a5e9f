import Foundation
import Persistence
import SystemTestSupport
import Testing

@Suite("A file counter")
struct FileCounterTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func counter() -> FileCounter { FileCounter(directory: directory.file("x"), name: "c") }

    @Test("is 0 without a file, and all counters of one file share its number")
    func shared() throws {
        #expect(try counter().value() == 0)
        #expect(try counter().advance() == 1)
        let (one, other) = (counter(), counter())
        #expect(try one.advance() == 2 && other.advance() == 3)
        #expect(try one.value() == 3 && other.value() == 3)
    }

    @Test("never returns a number twice, even to concurrent callers")
    func concurrent() async throws {
        let path = directory.file("x")
        let numbers = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let counter = FileCounter(directory: path, name: "c")
                    return try (0..<50).map { _ in try counter.advance() }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...400))
        #expect(try counter().value() == 400)
    }

    @Test("uses the new file after its directory was deleted and created again")
    func replaced() throws {
        let first = counter()
        try first.advance()
        try FileManager.default.removeItem(atPath: directory.file("x"))
        #expect(try first.value() == 0)
        try counter().advance()
        #expect(try first.advance() == 2)
    }

    @Test("starts again at 0 if its file was truncated, and after the largest number")
    func truncatedOrFull() throws {
        try counter().advance()
        try directory.write([1, 2, 3], to: "x/c.counter")
        #expect(try counter().value() == 0)
        #expect(try counter().advance() == 1)
        try directory.write(Array(repeating: 255, count: 8), to: "x/c.counter")
        #expect(try counter().value() == .max)
        #expect(try counter().advance() == 0)
    }

    @Test("rejects a directory that others can write to")
    func insecure() throws {
        try counter().advance()
        chmod(directory.file("x"), 0o777)
        #expect(throws: StoreError.self) { try counter().value() }
        #expect(throws: StoreError.self) { try counter().advance() }
    }
}
