import Domain
import Testing

/// A salon that had seats, and now has as many staff members.
@Suite("Bookings without a staff member at a salon with staff")
struct UnassignedBookingTests {
    private static let ids = ["ana", "ben", "cem", "dov"]

    private func salon(staff count: Int) -> Salon {
        var salon = StaffedSalon.salon()
        salon.staff = Self.ids.prefix(count).map { StaffMember(id: $0, name: $0) }
        return salon
    }

    private func book(
        _ start: Timestamp,
        _ minutes: Int,
        _ salon: Salon,
        _ busy: [BusyInterval],
        staff: String? = nil,
        preferring preferred: String? = nil
    ) throws -> BusyInterval? {
        var salon = salon
        salon.services = [Service(id: "s", name: "S", minutes: minutes)]
        let schedule = salon.schedule
        let options = BookingOptions(serviceID: "s", staffID: staff)
        let allocation = schedule.allocation(
            for: try schedule.requirement(for: options),
            at: start,
            busy: busy,
            preferring: preferred
        )
        switch allocation {
        case .staff(let id): return StaffedSalon.busy(start, Int64(minutes), staff: id)
        case .seats(let seats): return StaffedSalon.busy(start, Int64(minutes), seats: seats)
        case nil: return nil
        }
    }

    @Test("keep one person free for their whole time")
    func wholeTime() throws {
        let salon = salon(staff: 2)
        var busy = [StaffedSalon.busy(StaffedSalon.at(10), 60)]
        let first = try #require(try book(StaffedSalon.at(10), 30, salon, busy))
        #expect(first.staffID == "ben")
        busy.append(first)
        // Ana has less work, but only she is free from 10:00 to 11:00.
        let second = try #require(
            try book(StaffedSalon.at(10, 30), 30, salon, busy, preferring: "ana")
        )
        #expect(second.staffID == "ben")
        busy.append(second)
        #expect(try book(StaffedSalon.at(10, 30), 30, salon, busy) == nil)
        #expect(try book(StaffedSalon.at(10, 55), 10, salon, busy) == nil)
        #expect(try book(StaffedSalon.at(9, 30), 30, salon, busy) != nil)
        #expect(try book(StaffedSalon.at(11), 30, salon, busy, staff: "ana") != nil)
    }

    @Test("need no one else if someone's own booking begins when they end, or ends when they begin")
    func adjacent() throws {
        let unassigned = StaffedSalon.busy(StaffedSalon.at(10), 60)
        for (start, isAdjacent) in [
            (StaffedSalon.at(11), true), (StaffedSalon.at(10, 55), false),
            (StaffedSalon.at(9, 30), true), (StaffedSalon.at(9, 35), false),
        ] {
            let busy = [unassigned, StaffedSalon.busy(start, 30, staff: "ana")]
            let other = try book(
                StaffedSalon.at(10, 15),
                15,
                salon(staff: 2),
                busy,
                preferring: "ben"
            )
            // If Ana cannot serve the unassigned booking, Ben must, so only Ana can take the other.
            #expect(other?.staffID == (isAdjacent ? "ben" : "ana"), "\(start)")
        }
    }

    @Test("keep someone who works during them, not only during a part")
    func hours() throws {
        var salon = salon(staff: 2)
        salon.staff[0].weekly = StaffedSalon.everyDay(StaffedSalon.hours(9, 12))
        salon.staff[1].weekly = StaffedSalon.everyDay(StaffedSalon.hours(11, 17))
        // From 10:30 to 11:30, only Ana works.
        let busy = [StaffedSalon.busy(StaffedSalon.at(10, 30), 60)]
        #expect(try book(StaffedSalon.at(11), 30, salon, busy)?.staffID == "ben")
        #expect(try book(StaffedSalon.at(10, 30), 30, salon, busy) == nil)
        // Their buffers may extend past closing.
        let late = [StaffedSalon.busy(StaffedSalon.at(17), 120)]
        salon.staff = self.salon(staff: 2).staff
        salon.staff[1].weekly = StaffedSalon.everyDay(StaffedSalon.hours(11, 18))
        #expect(try book(StaffedSalon.at(17), 30, salon, late)?.staffID == "ben")
    }

    @Test("can be read in steps, however long a chain of them is")
    func chains() throws {
        let schedule = salon(staff: 2).schedule
        let requirement = try schedule.requirement(for: BookingOptions(serviceID: "cut"))
        let start = StaffedSalon.at(12)
        let chain = (-600...600).map { hour in
            StaffedSalon.busy(start.advanced(bySeconds: hour * 3_600), 61)
        }
        let interval = requirement.interval(from: start)
        var range = schedule.allocationRange(for: requirement, at: start)
        var steps = 0
        func known() -> [BusyInterval] {
            chain.filter { $0.start < range.upperBound && $0.end > range.lowerBound }
        }
        while let longer = schedule.longerRange(than: range, for: interval, busy: known()) {
            range = longer
            steps += 1
        }
        #expect(known().count == chain.count)
        #expect(steps <= 5)
        let apart = [StaffedSalon.busy(StaffedSalon.at(11), 60), StaffedSalon.busy(start, 60)]
        let short = schedule.longerRange(than: interval, for: interval, busy: apart)
        #expect(short?.upperBound ?? start >= StaffedSalon.at(13))
        #expect(
            schedule.longerRange(
                than: StaffedSalon.at(12)..<StaffedSalon.at(13),
                for: interval,
                busy: apart
            ) == nil
        )
    }

    @Test(
        "can always be served after other bookings, and are only counted without any",
        arguments: UInt64(0)..<60
    )
    func served(seed: UInt64) throws {
        var random = RandomNumbers(seed: seed)
        let count = random.number(1...4)
        var seats = StaffedSalon.salon()
        seats.seats = count
        func start(_ random: inout RandomNumbers) -> Timestamp {
            StaffedSalon.at(9, Int64(random.number(0...50)) * 10)
        }
        var busy: [BusyInterval] = []
        for _ in 0..<random.number(1...20) {
            let minutes = random.number(1...12) * 10
            if let booked = try book(start(&random), minutes, seats, busy) { busy.append(booked) }
        }
        let unassigned = busy
        let salon = salon(staff: count)
        let slots = salon.schedule.slots(
            from: StaffedSalon.at(9),
            to: StaffedSalon.at(18),
            busy: busy,
            now: StaffedSalon.now
        )
        #expect(slots.count == 18)
        for slot in slots {
            let load = load(unassigned, from: slot.start.instant, to: slot.end.instant)
            #expect(slot.free == count - load, "\(slot.start)")
        }
        for _ in 0..<60 {
            let booked = try book(
                start(&random),
                random.number(1...12) * 10,
                salon,
                busy,
                staff: random.isTrue(percent: 20) ? random.element(salon.staff).id : nil,
                preferring: random.isTrue(percent: 30) ? random.element(salon.staff).id : nil
            )
            guard let booked else { continue }
            busy.append(booked)
            let known = busy.filter { $0.staffID != nil }
            let sorted = unassigned.sorted { $0.start < $1.start }
            try #require(isServable(sorted[...], known, by: count), "\(busy)")
        }
    }

    private func load(_ busy: [BusyInterval], from: Timestamp, to: Timestamp) -> Int {
        let overlapping = busy.filter { $0.start < to && $0.end > from }
        return overlapping.map { first in
            let start = max(first.start, from)
            return overlapping.count { $0.start <= start && $0.end > start }
        }.max() ?? 0
    }

    /// Whether the bookings can be given to people, tried one after the other. No one has two at the
    /// same time.
    private func isServable(
        _ rest: ArraySlice<BusyInterval>,
        _ known: [BusyInterval],
        by count: Int
    ) -> Bool {
        guard var next = rest.first else { return true }
        let people = Set(Self.ids.prefix(count)).subtracting(
            known.filter { $0.start < next.end && $0.end > next.start }.compactMap(\.staffID)
        )
        return people.sorted().contains { id in
            next.staffID = id
            return isServable(rest.dropFirst(), known + [next], by: count)
        }
    }
}
