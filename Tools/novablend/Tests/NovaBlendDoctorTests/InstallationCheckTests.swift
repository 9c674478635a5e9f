import Foundation
import SystemTestSupport
import Testing

@testable import NovaBlendDoctor

@Suite("The doctor's check of the program")
struct InstallationCheckTests {
    private func found(_ path: String?) -> String {
        InstallationCheck(path: path, version: "1.2.3").finding.found
    }

    @Test("names the package that the program belongs to")
    func package() throws {
        let directory = try TemporaryDirectory()
        let library = directory.path + "/lib/novablend"
        for path in [directory.path + "/bin", library] {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true
            )
        }
        let program = directory.path + "/bin/novablend"
        #expect(found(program) == "1.2.3, built from source, \(program)")
        let file = URL(filePath: library + "/installation")
        try Data("Debian package\nmore\n".utf8).write(to: file)
        #expect(found(program) == "1.2.3, Debian package, \(program)")
    }

    @Test("shows only the version if the path is not known")
    func unknown() { #expect(found(nil) == "1.2.3") }
}
