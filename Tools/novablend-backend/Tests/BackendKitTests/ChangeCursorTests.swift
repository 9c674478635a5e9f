import BookingStorage
import Testing

@testable import BackendKit

@Suite("A cursor of changes")
struct ChangeCursorTests {
    @Test("is read back from its text", arguments: ["", "s1", "a1/ü"], [0, 1, .max] as [Int64])
    func roundTrip(element: String, number: Int64) throws {
        let cursor = ChangeCursor(epoch: "0123456789abcdef", number: number, element: element)
        #expect(try ChangeCursor(cursor.text) == cursor)
    }

    @Test("is rejected without an epoch", arguments: ["", "s1"])
    func withoutEpoch(element: String) {
        let text = ChangeCursor(epoch: "", number: 1, element: element).text
        #expect(throws: Problem.self) { try ChangeCursor(text) }
    }

    @Test("is outdated by a later one, and by each one of a different history")
    func outdated() {
        let cursor = ChangeCursor(epoch: "a", number: 2, element: "s1")
        #expect(!cursor.isOutdated(by: cursor))
        #expect(!cursor.isOutdated(by: ChangeCursor(epoch: "a", number: 1)))
        #expect(cursor.isOutdated(by: ChangeCursor(epoch: "a", number: 2)))
        #expect(cursor.isOutdated(by: ChangeCursor(epoch: "a", number: 3)))
        #expect(cursor.isOutdated(by: ChangeCursor(epoch: "b", number: 1)))
    }
}
