import Foundation
import SystemSupport
import Testing

struct ProgramFileTests {
    @Test func `The path is that of the program that runs`() throws {
        let path = try #require(ProgramFile.path)
        let known = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(path == known)
        #expect(ProgramFile.directory == URL(filePath: known).deletingLastPathComponent().path)
    }
}
