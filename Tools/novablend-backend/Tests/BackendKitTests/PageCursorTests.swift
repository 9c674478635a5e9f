import BookingStorage
import Domain
import Testing

@testable import BackendKit

@Suite("A page cursor")
struct PageCursorTests {
    private let cursor = PageCursor(salonID: SalonID(high: 1, low: 2), id: "a/ü")

    @Test("is read back from its text, which needs no escaping in a URL")
    func roundTrip() throws {
        for cursor in [cursor, PageCursor(salonID: SalonID(high: .max, low: 0))] {
            let text = cursor.text(for: .appointments)
            #expect(text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            #expect(try PageCursor(text, of: .appointments) == cursor)
        }
    }

    @Test("belongs to one list")
    func otherList() {
        let text = cursor.text(for: .appointments)
        for list in [PageCursor.List.salons, .conflicts] {
            #expect(throws: Problem.self) { try PageCursor(text, of: list) }
        }
    }

    @Test("is rejected if any character is changed, removed, or added")
    func changed() {
        let text = Array(cursor.text(for: .salons))
        for index in text.indices {
            var (changed, shorter, longer) = (text, text, text)
            changed[index] = changed[index] == "A" ? "B" : "A"
            shorter.remove(at: index)
            longer.insert("A", at: index)
            for text in [changed, shorter, longer] {
                #expect(throws: Problem.self) { try PageCursor(String(text), of: .salons) }
            }
        }
    }

    @Test("is rejected if it is garbage", arguments: ["", "A", "====", "x y", "%00", "ä", "null"])
    func garbage(text: String) {
        #expect(throws: Problem.self) { try PageCursor(text, of: .salons) }
    }
}
