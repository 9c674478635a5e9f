import Foundation
import JSON
import Testing

private let fixtures = ProcessInfo.processInfo.environment["NOVABLEND_FIXTURES"]
    .map { $0 + "/json-test-suite/test_parsing" }
    .flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }

/// JSONTestSuite, where `NOVABLEND_FIXTURES` names a folder that has it.
@Suite("JSONTestSuite", .enabled(if: fixtures != nil))
struct JSONTestSuiteTests {
    @Test("every y_ file is read and every n_ file refused")
    func suite() throws {
        let folder = try #require(fixtures)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        var judged = 0
        for name in names where name.hasPrefix("y_") || name.hasPrefix("n_") {
            let url = URL(filePath: folder + "/" + name)
            let bytes = [UInt8](try Data(contentsOf: url))
            let isRead = (try? JSONDocument(parsing: bytes)) != nil
            #expect(isRead == name.hasPrefix("y_"), "\(name)")
            judged += 1
        }
        #expect(judged > 250)
    }
}
