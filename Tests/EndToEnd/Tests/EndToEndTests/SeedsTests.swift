import Foundation
import Testing

/// Compares docs/Seeds.md with the tests that it names.
@Suite("The table in docs/Seeds.md", .throttled)
struct SeedsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../..").standardized

    private struct Row {
        var text: String
        var seed: String
        var place: String
        var title: String
        var file: String
        var sentence: String
    }

    private static func rows() throws -> [Row] {
        let text = try String(contentsOf: root.appending(path: "docs/Seeds.md"), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| 0") }.map { line in
            let cells = line.components(separatedBy: " | ")
            let test = cells.count == 5 ? cells[4].dropLast(2) : ""
            let parts = test.split(separator: ": ", maxSplits: 1)
            return Row(
                text: String(line),
                seed: String(cells[0].dropFirst(2)),
                place: cells.count == 5 ? cells[1] : "",
                title: cells.count == 5 ? cells[2] : "",
                file: parts.count == 2 ? parts[0].filter { $0 != "`" } : "",
                sentence: parts.count == 2 ? String(parts[1]) : ""
            )
        }
    }

    /// The text of each test file, by its name.
    private static func tests() throws -> [String: String] {
        var texts: [String: String] = [:]
        for folder in ["Packages", "Tools", "Tests"] {
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder),
                includingPropertiesForKeys: nil,
                options: .skipsHiddenFiles
            )
            for case let file as URL in files ?? FileManager.DirectoryEnumerator()
            where file.lastPathComponent.hasSuffix("Tests.swift") {
                let name = file.deletingPathExtension().lastPathComponent
                texts[name, default: ""] += try String(contentsOf: file, encoding: .utf8)
            }
        }
        return texts
    }

    /// Whether `text` has a test with this sentence.
    private static func hasTest(_ sentence: String, in text: String) -> Bool {
        text.components(separatedBy: "@Test(").dropFirst().contains { rest in
            rest.drop { $0.isWhitespace }.hasPrefix("\"\(sentence)\"")
        }
    }

    @Test("every row names a test that exists")
    func everyRow() throws {
        let tests = try Self.tests()
        for row in try Self.rows() {
            let exists = tests[row.file].map { Self.hasTest(row.sentence, in: $0) }
            #expect(exists == true, "\(row.text)")
        }
    }

    @Test("a row that names no existing test is found")
    func missingTest() throws {
        let tests = try Self.tests()
        let own = try #require(tests["SeedsTests"])
        #expect(Self.hasTest("every row names a test that exists", in: own))
        #expect(!Self.hasTest("every row names a test", in: own))
        #expect(!Self.hasTest("", in: own))
    }

    /// Whether the sentence of a test names the course in `title`, or the connectivity of the scenario.
    private static func names(_ title: String, of place: String, _ sentence: String) -> Bool {
        let name = title.split(whereSeparator: { ",:".contains($0) }).first ?? ""
        guard place.contains("narrative") else {
            return name.split(separator: " ").filter { $0.count > 2 }.allSatisfy(sentence.contains)
        }
        switch name {
        case "connectivity": return sentence.contains("with connectivity")
        case "offline":
            return sentence.contains("offline") || sentence.contains("without connectivity")
        default: return false
        }
    }

    @Test("the test of every row names the course or the connectivity of the row")
    func titles() throws {
        for row in try Self.rows() where !row.place.hasPrefix("the example") {
            #expect(Self.names(row.title, of: row.place, row.sentence), "\(row.text)")
        }
    }

    @Test("a row that names the test of a different course is found")
    func otherCourse() {
        let sentence = "load from cache, primary course: fresh salons are delivered"
        #expect(Self.names("primary", of: "load salons from cache", sentence))
        #expect(!Self.names("expired cache", of: "load salons from cache", sentence))
        let scenario = "with connectivity the latest salons are shown"
        #expect(Self.names("connectivity: the list", of: "story 1, narrative 1", scenario))
        #expect(!Self.names("offline, empty cache", of: "story 1, narrative 2", scenario))
        #expect(!Self.names("", of: "narrative 1", scenario))
    }

    @Test("no scenario and no course has two rows")
    func unique() throws {
        let rows = try Self.rows()
        #expect(Set(rows.map { [$0.seed, $0.place, $0.title] }).count == rows.count)
    }

    @Test("no scenario and no course is left out")
    func complete() throws {
        // The expected numbers were counted in the seeds. Seed 000 has one more row, about a cache from
        // the future, which the seeds leave open.
        let counts = try Self.rows().reduce(into: [String: Int]()) { $0[$1.seed, default: 0] += 1 }
        #expect(counts == ["000": 32, "001": 28, "002": 10, "003": 12, "004": 17])
    }
}
