import Foundation
import Persistence
import Testing

@Suite("What a journal refuses")
struct JournalDamageTests {
    private let directory: TemporaryDirectory
    private let journal: FileJournal
    private let file = "j.journal"
    private let records: [[UInt8]] = [Array("first".utf8), [], Array("third, longer".utf8)]
    /// Where the records begin and the last one ends.
    private var borders: [Int] = []
    private var good: [UInt8] = []

    init() throws {
        directory = try TemporaryDirectory()
        journal = FileJournal(directory: directory.path, name: "j")
        try journal.append([])
        try journal.compact { _ in false }
        borders.append(try directory.bytes(file).count)
        for record in records {
            try journal.append(record)
            borders.append(try directory.bytes(file).count)
        }
        good = try directory.bytes(file)
    }

    private func isRefused(_ bytes: [UInt8]) throws -> Bool {
        try directory.write(bytes, to: file)
        let reasons = [
            reason { () throws(StoreError) in _ = try journal.records() },
            reason { () throws(StoreError) in try journal.append([1]) },
            reason { () throws(StoreError) in try journal.append { _ in nil } },
            reason { () throws(StoreError) in try journal.compact { _ in false } },
        ]
        return try reasons.allSatisfy { $0?.isDamage == true } && directory.bytes(file) == bytes
    }

    @Test("every single flipped bit, as a whole; and the file is kept as it is")
    func flippedBits() throws {
        for bit in 0..<(good.count * 8) {
            var bad = good
            bad[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try isRefused(bad), "bit \(bit)")
        }
        print("a journal: \(good.count * 8) flipped bits")
    }

    @Test("a file that ends within a record: each was durable before it was marked")
    func truncations() throws {
        for length in 0..<good.count where !borders.contains(length) {
            #expect(try isRefused(Array(good.prefix(length))), "cut to \(length) bytes")
        }
    }

    @Test("zeros in the place of a record that others follow")
    func zeros() throws {
        for (begin, end) in zip(borders.dropLast(2), borders.dropFirst()) {
            for upper in stride(from: begin + 8, through: end, by: 8) {
                var bad = good
                for index in begin..<upper { bad[index] = 0 }
                #expect(try isRefused(bad), "bytes \(begin)..<\(upper)")
            }
        }
    }

    @Test("records in another order, twice, or moved")
    func places() throws {
        let parts = zip(borders, borders.dropFirst()).map { Array(good[$0..<$1]) }
        let header = Array(good[..<borders[0]])
        for order in [[1, 0, 2], [0, 0], [0, 2], [1], [0, 1, 2, 2], [2, 1, 0]] {
            #expect(try isRefused(header + order.flatMap { parts[$0] }), "\(order)")
        }
    }

    @Test("bytes behind the last record that no writer leaves")
    func strangeTail() throws {
        for tail: [UInt8] in [[1], [0, 1], Array("RECORDE".utf8), Array("garbage!".utf8)] {
            #expect(try isRefused(good + tail), "\(tail)")
        }
    }

    @Test("a newer format, which is told and left alone")
    func newerFormat() throws {
        let newer: [UInt8] = Array("NBJRNL\r\n".utf8) + [2, 0, 0, 0, 0, 0, 0, 0] + Self.checksum
        try directory.write(newer, to: file)
        let reasons = [
            reason { () throws(StoreError) in _ = try journal.records() },
            reason { () throws(StoreError) in try journal.append([1]) },
            reason { () throws(StoreError) in try journal.compact { _ in false } },
        ]
        #expect(reasons.allSatisfy { $0 == .newerFormat(2) }, "\(reasons)")
        #expect(try directory.bytes(file) == newer)
    }

    /// That of `XXH3_64bits` over the sixteen bytes before.
    private static let checksum: [UInt8] = [0x4B, 0x79, 0xCA, 0x59, 0x80, 0xF4, 0x73, 0x91]
}
