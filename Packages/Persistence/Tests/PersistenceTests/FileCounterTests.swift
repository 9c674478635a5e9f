import Foundation
import Persistence
import Testing

@Suite("A counter in a file")
struct FileCounterTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func counter() -> FileCounter { FileCounter(directory: directory.file("x"), name: "c") }

    @Test("begins at 0 without a file, and every counter of the file sees it grow")
    func shared() throws {
        #expect(try counter().value() == 0)
        #expect(try counter().advance() == 1)
        let (one, other) = (counter(), counter())
        #expect(try one.advance() == 2 && other.advance() == 3)
        #expect(try one.value() == 3 && other.value() == 3)
    }

    @Test("gives no number twice, also to callers that advance at once")
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

    @Test("survives its directory: a counter that is open sees the file that comes instead")
    func replaced() throws {
        let old = counter()
        try old.advance()
        try FileManager.default.removeItem(atPath: directory.file("x"))
        #expect(try old.value() == 0)
        try counter().advance()
        #expect(try old.advance() == 2)
    }

    @Test("takes a file that was cut short for none, and goes from the last number to 0")
    func odd() throws {
        try counter().advance()
        try directory.write([1, 2, 3], to: "x/c.counter")
        #expect(try counter().value() == 0)
        #expect(try counter().advance() == 1)
        try directory.write(Array(repeating: 255, count: 8), to: "x/c.counter")
        #expect(try counter().value() == .max)
        #expect(try counter().advance() == 0)
    }

    @Test("refuses a directory that others can write to")
    func insecure() throws {
        try counter().advance()
        chmod(directory.file("x"), 0o777)
        #expect(throws: StoreError.self) { try counter().value() }
        #expect(throws: StoreError.self) { try counter().advance() }
    }
}
