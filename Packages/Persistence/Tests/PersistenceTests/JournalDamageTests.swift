import Foundation
import Persistence
import SystemTestSupport
import Testing

@Suite("A damaged journal")
struct JournalDamageTests {
    private let directory: TemporaryDirectory
    private let journal: FileJournal
    private let file = "j.journal"
    private let records: [[UInt8]] = [Array("first".utf8), [], Array("third, longer".utf8)]
    /// The offsets at which the records begin, and the end of the last one.
    private var boundaries: [Int] = []
    private var good: [UInt8] = []

    init() throws {
        directory = try TemporaryDirectory()
        journal = FileJournal(directory: directory.path, name: "j")
        // The length of the header.
        boundaries.append(24)
        for record in records {
            try journal.append(record)
            boundaries.append(try directory.bytes(file).count)
        }
        good = try directory.bytes(file)
    }

    private func isRejected(_ bytes: [UInt8]) throws -> Bool {
        try directory.write(bytes, to: file)
        let reasons = [
            reason { _ = try journal.records() },
            reason { try journal.append([1]) },
            reason { try journal.appendIfNeeded { _ in nil } },
        ]
        return try reasons.allSatisfy { $0?.isDamage == true } && directory.bytes(file) == bytes
    }

    @Test("is rejected and left unchanged, whichever bit is flipped")
    func flippedBits() throws {
        for bit in 0..<(good.count * 8) {
            var bad = good
            bad[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try isRejected(bad), "bit \(bit)")
        }
        print("journal: \(good.count * 8) flipped bits")
    }

    @Test("is rejected if a record with a mark is truncated")
    func truncations() throws {
        for length in 0..<good.count where !boundaries.contains(length) {
            #expect(try isRejected(Array(good.prefix(length))), "cut to \(length) bytes")
        }
    }

    @Test("is rejected if a valid record follows zeros")
    func zeros() throws {
        for (begin, end) in zip(boundaries.dropLast(2), boundaries.dropFirst()) {
            for upper in stride(from: begin + 8, through: end, by: 8) {
                var bad = good
                for index in begin..<upper { bad[index] = 0 }
                #expect(try isRejected(bad), "bytes \(begin)..<\(upper)")
            }
        }
    }

    @Test("is rejected if records are repeated, missing, or in a different order")
    func offsets() throws {
        let parts = zip(boundaries, boundaries.dropFirst()).map { Array(good[$0..<$1]) }
        let header = Array(good[..<boundaries[0]])
        for order in [[1, 0, 2], [0, 0], [0, 2], [1], [0, 1, 2, 2], [2, 1, 0]] {
            #expect(try isRejected(header + order.flatMap { parts[$0] }), "\(order)")
        }
    }

    @Test("is rejected if the last record is followed by bytes that no writer leaves")
    func foreignTail() throws {
        for tail: [UInt8] in [[1], [0, 1], Array("RECORDE".utf8), Array("garbage!".utf8)] {
            #expect(try isRejected(good + tail), "\(tail)")
        }
    }

    @Test("is not confused with a newer format, which is reported and left unchanged")
    func newerFormat() throws {
        let newer: [UInt8] = Array("NBJRNL\r\n".utf8) + [2, 0, 0, 0, 0, 0, 0, 0] + Self.checksum
        try directory.write(newer, to: file)
        let reasons = [
            reason { _ = try journal.records() },
            reason { try journal.append([1]) },
        ]
        #expect(reasons.allSatisfy { $0 == .newerFormat(2) }, "\(reasons)")
        #expect(try directory.bytes(file) == newer)
    }

    /// The result of `XXH3_64bits` for the 16 bytes before it in `newer`.
    private static let checksum: [UInt8] = [0x4B, 0x79, 0xCA, 0x59, 0x80, 0xF4, 0x73, 0x91]
}
