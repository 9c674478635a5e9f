import Testing

@testable import Domain

@Suite("Whether a staff member is free")
struct StaffCursorTests {
    private let ana = StaffMember(id: "a", name: "Ana")

    private func at(_ seconds: Int64) -> Timestamp { Timestamp(secondsSince1970: seconds) }

    @Test("depends on the working hours, to the second")
    func working() {
        var cursor = StaffCursor(ana, working: [at(10)..<at(20), at(30)..<at(40)], busy: [])
        let found = [
            (9, 15), (10, 20), (10, 21), (19, 20), (20, 21), (25, 35), (30, 40), (31, 41), (40, 41),
        ].map { cursor.isWorking(from: at($0), to: at($1)) }
        #expect(found == [false, true, false, true, false, false, true, false, false])
    }

    @Test("does not depend on working hours that are the salon's")
    func salonHours() {
        var cursor = StaffCursor(ana, working: nil, busy: [])
        let isWorking = cursor.isWorking(from: at(0), to: at(1))
        #expect(isWorking)
        var never = StaffCursor(ana, working: [], busy: [])
        let isEverWorking = never.isWorking(from: at(0), to: at(1))
        #expect(!isEverWorking)
    }

    @Test("depends on appointments, to the second, even if a long one contains a short one")
    func appointments() {
        let taken = [at(10)..<at(50), at(15)..<at(20), at(60)..<at(70)]
        var cursor = StaffCursor(ana, working: nil, busy: taken)
        let found = [(0, 10), (0, 11), (20, 30), (49, 55), (50, 60), (50, 61), (69, 80), (70, 80)]
            .map { cursor.isBusy(in: at($0)..<at($1)) }
        #expect(found == [false, true, true, true, false, true, true, false])
    }

    @Test("is counted for each one, in whatever order the appointments are listed")
    func order() throws {
        let salon = StaffedSalon.salon(
            StaffedSalon.ana,
            StaffedSalon.ben,
            StaffMember(id: "cem", name: "Cem")
        )
        let schedule = salon.schedule
        let requirement = try schedule.requirement(for: BookingOptions(serviceID: "cut"))
        // The last one has left the salon.
        let busy = [("cem", 9), ("ana", 9), ("ben", 10), ("ana", 10), ("ana", 11), ("dov", 9)].map {
            StaffedSalon.busy(StaffedSalon.at($0.1), staff: $0.0)
        }
        for rotation in busy.indices {
            let turned = Array(busy[rotation...] + busy[..<rotation])
            for busy in [turned, turned.reversed()] {
                let slots = schedule.slots(
                    for: requirement,
                    from: StaffedSalon.at(9),
                    to: StaffedSalon.at(12),
                    busy: busy,
                    now: StaffedSalon.now
                )
                #expect(slots.map(\.free) == [1, 3, 1, 3, 2, 3])
            }
        }
    }
}
