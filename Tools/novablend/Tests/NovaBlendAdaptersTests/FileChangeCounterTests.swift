import Foundation
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("The counter of an account's changes")
struct FileChangeCounterTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func counter(_ account: String = "a") -> FileChangeCounter {
        FileChangeCounter(directory: directory.path, subdirectory: account)
    }

    @Test("is shared by all processes of the account, but not with other accounts")
    func shared() {
        let (first, second, otherAccount) = (counter(), counter(), counter("b"))
        let before = second.value
        first.advance()
        #expect(second.value != before && first.value == second.value)
        #expect(otherAccount.value == before)
    }

    @Test("counts within this process if the file cannot be written")
    func unrecorded() {
        let counter = FileChangeCounter(directory: "/proc/novablend", subdirectory: "a")
        let before = counter.value
        #expect(counter.value == before)
        counter.advance()
        #expect(counter.value != before)
    }

    @Test("a failed read counts as a change by default")
    func unreadable() throws {
        let file = directory.path + "/file"
        try Data().write(to: URL(filePath: file))
        for (counts, changes) in [(true, true), (false, false)] {
            let counter = FileChangeCounter(
                directory: file,
                subdirectory: "a",
                countsFailedReads: counts
            )
            let before = counter.value
            #expect((counter.value != before) == changes)
            counter.advance()
            #expect(counter.value != before)
        }
    }

    @Test("of a different name counts separately")
    func names() {
        let appointments = counter()
        let salons = FileChangeCounter(
            directory: directory.path,
            subdirectory: "a",
            name: "salon-changes"
        )
        let before = appointments.value
        salons.advance()
        #expect(salons.value == 1 && appointments.value == before)
    }
}
