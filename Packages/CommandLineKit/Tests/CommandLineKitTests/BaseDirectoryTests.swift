import CommandLineKit
import Glibc
import Testing

@Suite("A base directory")
struct BaseDirectoryTests {
    @Test("is named by its variable, or is below the home directory")
    func variables() async {
        await #expect(processExitsWith: .success) {
            setenv("HOME", "/home/ada", 1)
            setenv("XDG_CACHE_HOME", "/cache", 1)
            setenv("XDG_STATE_HOME", "relative", 1)
            #expect(BaseDirectory.cache.path(for: "p") == "/cache/p")
            #expect(BaseDirectory.state.path(for: "p") == "/home/ada/.local/state/p")
            setenv("HOME", "relative", 1)
            #expect(BaseDirectory.state.path(for: "p") == nil)
            #expect(BaseDirectory.cache.path(for: "p") == "/cache/p")
        }
    }

    @Test(
        "is below the home directory of the password database if HOME is empty or missing",
        arguments: [true, false]
    )
    func passwordDatabase(isEmpty: Bool) async {
        await #expect(processExitsWith: .success) { [isEmpty = isEmpty as Bool] in
            let home = try #require(getpwuid(geteuid())?.pointee.pw_dir)
            unsetenv("XDG_CACHE_HOME")
            if isEmpty { setenv("HOME", "", 1) } else { unsetenv("HOME") }
            #expect(BaseDirectory.cache.path(for: "p") == String(cString: home) + "/.cache/p")
        }
    }
}
