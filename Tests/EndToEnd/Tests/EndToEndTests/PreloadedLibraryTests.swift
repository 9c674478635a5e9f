import Foundation
import SystemTestSupport
import Testing

/// A library in LD_PRELOAD that changes the environment before the program starts.
@Suite("A preloaded library that calls setenv", .throttled, .timeLimit(.minutes(10)))
struct PreloadedLibraryTests {
    private let directory: TemporaryDirectory
    private var library: String { directory.path + "/setenv.so" }

    init() async throws {
        directory = try TemporaryDirectory()
        let source = directory.path + "/setenv.c"
        let text = """
            #include <stdlib.h>
            __attribute__((constructor)) static void change(void) { setenv("CHANGED", "1", 1); }
            """
        try Data(text.utf8).write(to: URL(filePath: source))
        // clang is part of the Swift toolchain.
        let child = try ChildProcess(
            "/usr/bin/env",
            ["clang", "-shared", "-fPIC", "-o", library, source]
        )
        try #require(await child.exitCode() == 0, "\(child.standardError())")
    }

    @Test("both programs still get their arguments")
    func arguments() async throws {
        for command in [[Binaries.novablend, "salons", "--bogus"], [Binaries.backend, "--bogus"]] {
            let child = try ChildProcess("/usr/bin/env", ["LD_PRELOAD=\(library)"] + command)
            #expect(await child.exitCode() == 64)
            #expect(child.standardError().contains("--bogus"))
        }
    }
}
