import BookingStorage
import Contract
import Domain
import Testing

@testable import BackendKit

@Suite("A cursor of changes")
struct ChangeCursorTests {
    private let role = Principal.Role.customer(phone: "4930123456")

    @Test("is read back from its text", arguments: ["", "s1", "a1/ü"], [0, 1, .max] as [Int64])
    func roundTrip(element: String, number: Int64) throws {
        let cursor = ChangeCursor(epoch: "0123456789abcdef", number: number, element: element)
        #expect(try ChangeCursor(cursor.text(for: role), for: role) == cursor)
    }

    @Test("is rejected without an epoch", arguments: ["", "s1"])
    func withoutEpoch(element: String) {
        let text = ChangeCursor(epoch: "", number: 1, element: element).text(for: role)
        #expect(throws: Problem.self) { try ChangeCursor(text, for: role) }
    }

    @Test("is too old for a caller who may see different data")
    func otherRole() throws {
        let salon = SalonID(high: 1, low: 2)
        let roles: [Principal.Role] = [
            .administrator, .staff(of: salon), .staff(of: SalonID(high: 1, low: 3)),
            .customer(phone: "1"), .customer(phone: "2"), Principal.anonymous.role,
        ]
        let cursor = ChangeCursor(epoch: "a", number: 2)
        for (role, other) in roles.flatMap({ role in roles.map { (role, $0) } }) {
            let text = cursor.text(for: role)
            if role == other {
                #expect(try ChangeCursor(text, for: other) == cursor)
            } else {
                let problem = #expect(throws: Problem.self) {
                    try ChangeCursor(text, for: other)
                }
                #expect(problem?.kind == .cursorTooOld, "\(role), \(other)")
            }
        }
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
