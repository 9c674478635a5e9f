import Foundation
import JSON
import Testing

/// Foundation's JSONEncoder and JSONDecoder are imported next to this library.
@Suite("Codable in comparison with Foundation")
struct FoundationCodableTests {
    private struct Salon: Codable, Equatable {
        enum Kind: Codable, Equatable {
            case barber
            case spa(pools: Int, String?)
        }

        let id: UUID
        let name: String
        let hours: [String: [[Double]]]
        let kinds: [Kind]
        let opened: Date
        let small: Int8
        let numbers: [Float?]
        let nested: [[Salon]]
    }

    private func salon(_ level: Int) -> Salon {
        Salon(
            id: UUID(),
            name: "Nova \"é\" 😀 \u{1} \(String(repeating: "x", count: level * 100))",
            hours: ["mon": [[9, 12.5], [14, 18.25]], "": []],
            kinds: [.barber, .spa(pools: level, "a"), .spa(pools: 0, nil)],
            opened: Date(timeIntervalSinceReferenceDate: 1e9 + 0.1),
            small: -128,
            numbers: [nil, 0.1, 1e30, -0.0],
            nested: level == 0 ? [] : [[], [salon(level - 1), salon(level - 1)]]
        )
    }

    @Test("what either of them encodes, both decode to the same value")
    func roundTrip() throws {
        let value = [salon(3)]
        let ours = try JSONFragment(encoding: value).bytes
        let theirs = try JSONEncoder().encode(value)
        for bytes in [ours, Array(theirs)] {
            let root = try JSONDocument(parsing: bytes).root
            #expect(try root.decode([Salon].self) == value)
            #expect(try JSONDecoder().decode([Salon].self, from: Data(bytes)) == value)
        }
    }

    @Test("both reject the same texts", arguments: ["[]", "{}", "[{}]", "[[1]]", "[null]", "1"])
    func rejected(text: String) throws {
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        let ours = try? root.decode([Salon].self)
        let theirs = try? JSONDecoder().decode([Salon].self, from: Data(text.utf8))
        #expect(ours == theirs)
    }
}
