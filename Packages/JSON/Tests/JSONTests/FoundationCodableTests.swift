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

    /// What this library and Foundation encode.
    private func both(_ value: some Encodable) throws -> [String] {
        let ours = try JSONFragment(encoding: value).description
        return [ours, String(decoding: try JSONEncoder().encode(value), as: UTF8.self)]
    }

    @Test("the differences are those that the README lists")
    func differences() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "a")
                try container.encode(2, forKey: "a")
            }
        }
        struct Name: Decodable { let name: String }
        let url = try #require(URL(string: "a:b"))
        #expect(try both(Date(timeIntervalSinceReferenceDate: 1.5)) == ["1.5", "1.5"])
        #expect(try both(Data([1, 2])) == ["[1,2]", #""AQI=""#])
        #expect(try both(url) == [#"{"relative":"a:b"}"#, #""a:b""#])
        let decimal = try both(Decimal(1.25))
        #expect(decimal[0].hasPrefix("{") && decimal[1] == "1.25")
        #expect(try both(Twice()) == [#"{"a":1,"a":2}"#, #"{"a":2}"#])
        let large = #"{"name":"x","ignored":[18446744073709551616,1e400]}"#
        #expect(try JSONDecoder().decode(Name.self, from: Data(large.utf8)).name == "x")
        #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(large.utf8)) }
    }

    @Test("both reject the same texts", arguments: ["[]", "{}", "[{}]", "[[1]]", "[null]", "1"])
    func rejected(text: String) throws {
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        let ours = try? root.decode([Salon].self)
        let theirs = try? JSONDecoder().decode([Salon].self, from: Data(text.utf8))
        #expect(ours == theirs)
    }
}
