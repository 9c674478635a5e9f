import Contract
import Domain
import JSON
import Testing

@testable import NovaBlendSalonFiles

@Suite("Reading a salon completely")
struct SalonReaderTests {
    private let reader = SalonReader()
    private let sample = SampleSalon()

    /// Values of every kind. Each member rejects some of them.
    private static let values = [
        "null", "true", "0", "-1", "9.6", "1e9", "\"\"", "\"x y\"", "[]", "{}", "[{}]",
        #"[{"date":"2026-12-24","open_time":-1,"close_time":"x"}]"#,
    ]

    /// The sample with other values for some members.
    private func salon(_ members: [String: String]) throws -> JSONValue {
        var values = sample.values.filter { sample.names[""]?.contains($0.key) == true }
        for (name, value) in members { values[name] = JSONFragment(trusted: Array(value.utf8)) }
        let fragment = JSONFragment { writer in
            writer.object { writer in
                for (name, value) in values { writer.member(named: name, value) }
            }
        }
        return try JSONDocument(parsing: fragment.bytes).root
    }

    private func isRejected(_ value: JSONValue) -> Bool {
        (try? SalonCodec.read(value)) == nil
    }

    @Test("finds a mismatch exactly if the codec rejects the salon, and finds two at once")
    func agreement() throws {
        var rejected: [(name: String, value: String)] = []
        for name in try #require(sample.names[""]) where name != "id" {
            for value in Self.values {
                let salon = try salon([name: value])
                let paths = reader.read(salon).mismatches.map(\.path)
                #expect(paths.isEmpty != isRejected(salon), "\(name): \(value)")
                #expect(paths.allSatisfy { $0.isAtOrBelow(name) }, "\(name): \(value): \(paths)")
                if !paths.isEmpty { rejected.append((name, value)) }
            }
        }
        #expect(rejected.count > 60)
        for (index, one) in rejected.enumerated() {
            // Every tenth is enough: together they cover all pairs of members.
            for other in rejected[index...].enumerated().filter({ $0.offset % 10 == 1 }).map(
                \.element
            )
            where one.name != other.name {
                let salon = try salon([one.name: one.value, other.name: other.value])
                let paths = reader.read(salon).mismatches.map(\.path)
                #expect(paths.contains { $0.isAtOrBelow(one.name) }, "\(one) \(other)")
                #expect(paths.contains { $0.isAtOrBelow(other.name) }, "\(one) \(other)")
            }
        }
    }

    @Test("finds every mismatch of a salon with 5,000 staff members, each with 25 of them")
    func manyMismatches() throws {
        let exceptions = (0..<10).map {
            #"{"date":"2026-12-\#($0)","open_time":"x","close_time":1}"#
        }
        let member =
            #"{"name":1,"services":[1,"a b"],"weekly":{"mon":[["x","y"]]},"#
            + #""exceptions":[\#(exceptions.joined(separator: ","))]}"#
        let staff = Array(repeating: member, count: 5_000).joined(separator: ",")
        let result = reader.read(try salon(["staff": "[\(staff)]"]))
        let paths = result.mismatches.map(\.path)
        #expect(paths.count == 5_000 * 25 && Set(paths).count == paths.count)
        #expect(
            Array(paths.suffix(25).prefix(7))
                == [
                    "id", "name", "services[0]", "services[1]", "weekly.mon[0][0]",
                    "exceptions[0].date", "exceptions[0].open_time",
                ].map { "staff[4999].\($0)" }
        )
        #expect(result.salon?.staff.count == 5_000)
    }

    @Test("finds every id that occurs twice, and replaces it")
    func repeatedIDs() throws {
        let staff = (0..<2_000).map { #"{"id":"\#($0 / 2)","name":"n"}"# }.joined(separator: ",")
        let result = reader.read(try salon(["staff": "[\(staff)]"]))
        let expected = (0..<1_000).map { "staff[\($0 * 2 + 1)].id" }
        #expect(result.mismatches.map(\.path) == expected)
        #expect(result.mismatches.allSatisfy { $0.expected.hasPrefix("an id that no other staff") })
        #expect(Set(result.salon?.staff.map(\.id) ?? []).count == 2_000)
    }

    @Test("ends for every value, also with names that look like paths")
    func odd() throws {
        for text in [
            "1", "[]", "{}",
            #"{"exceptions":[{"":1,"a.b":[1],"[0]":{}}],"exceptions[0].date":3,"":0}"#,
            #"{"exceptions":[[[[{}]]]],"name":{"name":{"name":1}}}"#,
        ] {
            let value = try JSONDocument(parsing: Array(text.utf8)).root
            let result = reader.read(value)
            #expect(result.salon != nil && !result.mismatches.isEmpty, "\(text)")
            let paths = result.mismatches.map(\.path)
            #expect(Set(paths).count == paths.count, "\(text)")
        }
    }

    @Test("names the parts of a path")
    func paths() {
        #expect("exceptions[12].date".withoutIndexes == "exceptions[].date")
        #expect("exceptions[12].date".parentPath == "exceptions[12]")
        #expect("exceptions[12]".parentPath == "exceptions")
        #expect("exceptions".parentPath.isEmpty && "".parentPath.isEmpty)
        #expect("a.b".lastName == "b" && "a".lastName == "a")
        #expect("a[1].b".memberName(below: "a[1]") == "b" && "a[1].b".memberName(below: "") == "a")
        #expect("a".appending(path: "b[1]") == "a.b[1]" && "a".appending(path: "[1]") == "a[1]")
        #expect("".appending(path: "b") == "b" && "a".appending(path: "") == "a")
        func isReplaced(_ path: String, by placeholder: String) -> Bool {
            var result = SalonReader.Result(hasID: true)
            result.replacedPaths = [placeholder]
            return result.isReplaced(path)
        }
        #expect(isReplaced("a[1].b", by: "a[1]") && isReplaced("a", by: "a"))
        #expect(isReplaced("a[1].b", by: "a") && isReplaced("a", by: ""))
        #expect(!isReplaced("ab", by: "a") && !isReplaced("a", by: "a.b"))
        #expect(!isReplaced("a[10]", by: "a[1]"))
    }
}

extension String {
    /// Whether this path is `other`, or is within its value.
    fileprivate func isAtOrBelow(_ other: String) -> Bool {
        other.isEmpty || self == other || hasPrefix("\(other).") || hasPrefix("\(other)[")
    }
}
