import PersistenceTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("Changes of an account, counted in a file")
struct FileChangeCounterTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func counter(_ account: String = "a") -> FileChangeCounter {
        FileChangeCounter(directory: directory.path, subdirectory: account)
    }

    @Test("are seen by every process of the account, and by no other account")
    func shared() {
        let (one, other, stranger) = (counter(), counter(), counter("b"))
        let before = other.value
        one.advance()
        #expect(other.value != before && one.value == other.value)
        #expect(stranger.value == before)
    }

    @Test("count in this process at least when they cannot be recorded")
    func unrecorded() {
        let counter = FileChangeCounter(directory: "/proc/novablend", subdirectory: "a")
        let before = counter.value
        #expect(counter.value == before)
        counter.advance()
        #expect(counter.value != before)
    }
}
