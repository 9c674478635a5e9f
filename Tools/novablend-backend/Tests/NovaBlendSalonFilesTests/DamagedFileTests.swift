import Contract
import Domain
import Testing

@testable import NovaBlendSalonFiles

@Suite("A damaged file of salons")
struct DamagedFileTests {
    /// A generator with a fixed sequence (SplitMix64), so that a failure can be repeated.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
            return bits ^ bits >> 31
        }
    }

    private static let interesting = Array("\",\n\r;:.-0195{}[]ea \u{FEFF}ü".utf8) + [0, 0xFF]

    /// The bytes with up to four bytes replaced, inserted, or removed.
    private func damaged(_ bytes: [UInt8], _ generator: inout Generator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0...3, using: &generator) {
            let index = Int.random(in: bytes.indices, using: &generator)
            let byte = Self.interesting.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0...2, using: &generator) {
            case 0: bytes[index] = byte
            case 1: bytes.insert(byte, at: index)
            default: bytes.remove(at: index)
            }
        }
        return bytes
    }

    @Test("is either reported, or has salons that are the same after an export")
    func damage() throws {
        let salons = [SampleSalon.salon]
        let csv = try SalonCSVWriter.header + SalonCSVWriter.line(SampleSalon.salon)
        var (validFiles, invalidFiles) = (0, 0)
        for original in [SalonListCodec.encode(salons), csv] {
            for seed in 0..<1_500 {
                var generator = Generator(state: UInt64(seed))
                let file = salonFile(damaged(original, &generator))
                guard file.isValid else {
                    invalidFiles += 1
                    continue
                }
                validFiles += 1
                #expect(!file.entries.isEmpty, "\(seed)")
                for salon in file.entries.map(\.salon) {
                    let json = salonFile(SalonListCodec.encode([salon]))
                    #expect(json.entries.map(\.salon) == [salon], "\(seed)")
                    // CSV has no versions, and no empty texts.
                    guard salon.name != "", salon.location != "", salon.phone != "" else {
                        continue
                    }
                    var other = salon
                    other.version = nil
                    let text = try SalonCSVWriter.header + SalonCSVWriter.line(salon)
                    #expect(salonFile(text).entries.map(\.salon) == [other], "\(seed)")
                }
            }
        }
        #expect(validFiles > 100 && invalidFiles > 100, "\(validFiles) \(invalidFiles)")
    }
}
