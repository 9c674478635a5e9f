import Foundation
import JSON
import Testing

private let fixtures = ProcessInfo.processInfo.environment["NOVABLEND_FIXTURES"]
    .map { $0 + "/json-test-suite/test_parsing" }
    .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

/// Runs JSONTestSuite if the directory in `NOVABLEND_FIXTURES` contains it.
@Suite("JSONTestSuite", .enabled(if: fixtures != nil))
struct JSONTestSuiteTests {
    @Test("every y_ file is accepted, and every n_ file is rejected")
    func suite() throws {
        let directory = try #require(fixtures)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        var testedCount = 0
        for name in names where name.hasPrefix("y_") || name.hasPrefix("n_") {
            let url = URL(filePath: directory + "/" + name)
            let bytes = [UInt8](try Data(contentsOf: url))
            let isAccepted = (try? JSONDocument(parsing: bytes)) != nil
            #expect(isAccepted == name.hasPrefix("y_"), "\(name)")
            testedCount += 1
        }
        #expect(testedCount > 250)
    }
}
