import Foundation
import Synchronization
import SystemTestSupport
import Testing

@testable import Persistence

/// Readers take no lock, so they may read only a part of a record that is being appended.
@Suite("A file that looks damaged")
struct GrowingFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write([1], to: "f")
    }

    private func error(_ reason: StoreError.Reason) -> StoreError {
        StoreError(.load, path: directory.file("f"), reason)
    }

    /// Reads the file with a decoder that reports damage and makes the file grow `growths` times.
    /// Returns the lengths that the decoder saw.
    private func lengths(growing growths: Int) throws -> [Int] {
        let lengths = Mutex<[Int]>([])
        let store = StoreDirectory(path: directory.path)
        let name = StoreFile("f", suffix: "")
        _ = try store.reading(name, for: .load) { open throws(StoreError.Reason) in
            try store.read("f", in: open, maximum: 100) { file, status throws(StoreError.Reason) in
                let bytes = try file.read(Int(status.st_size))
                let count = lengths.withLock { lengths in
                    lengths.append(bytes.count)
                    return lengths.count
                }
                if count > growths, growths > 0 { return }
                if growths > 0 { try? directory.write(bytes + [1], to: "f") }
                throw .damaged("at its end")
            }
        }
        return lengths.withLock { $0 }
    }

    @Test("is read again each time that it has grown meanwhile")
    func grown() throws {
        #expect(try lengths(growing: 3) == [1, 2, 3, 4])
    }

    @Test("is damaged if it has not grown")
    func unchanged() throws {
        #expect(throws: error(.damaged("at its end"))) { try lengths(growing: 0) }
    }

    @Test("is not read if it is larger than the maximum")
    func tooLarge() throws {
        func read(maximum: Int) throws -> Int? {
            let store = StoreDirectory(path: directory.path)
            let name = StoreFile("f", suffix: "")
            return try store.reading(name, for: .load) { open throws(StoreError.Reason) in
                try store.read("f", in: open, maximum: maximum) { Int($1.st_size) }
            } ?? nil
        }
        #expect(try read(maximum: 1) == 1)
        #expect(throws: error(.damaged("larger than 0 bytes"))) {
            try read(maximum: 0)
        }
    }
}
