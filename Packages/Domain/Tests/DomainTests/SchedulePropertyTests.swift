import Domain
import Testing

/// Properties of the schedules of generated salons. A failed test names the seed of the salon.
@Suite("For every salon")
struct SchedulePropertyTests {
    private func minute(_ instant: Timestamp) -> Int { Int(instant.secondsSince1970 / 60) }

    private func instant(_ minute: Int) -> Timestamp {
        Timestamp(secondsSince1970: Int64(minute) * 60)
    }

    private func slots(_ generated: GeneratedSchedule, _ precision: TimePrecision) throws -> [Slot]
    {
        let schedule = generated.schedule(precision)
        return schedule.slots(
            for: try schedule.requirement(for: generated.options),
            from: generated.from,
            to: generated.to,
            busy: generated.busy,
            now: generated.now,
            isExplained: true
        )
    }

    @Test(
        "slots and their numbers of free staff or seats are those counted minute by minute",
        arguments: UInt64(0)..<40
    )
    func slotsMatchTable(seed: UInt64) throws {
        let precision = seed % 2 == 0 ? TimePrecision.exact : .grains
        let generated = try GeneratedSchedule(seed: seed, unit: seed % 4 < 2 ? 1 : 5)
        let table = MinuteTable(of: generated, precision)
        let slots = try slots(generated, precision)
        let listed = (minute(generated.from)..<minute(generated.to)).filter(table.isListed)
        #expect(slots.map { minute($0.start.instant) } == listed)
        for slot in slots {
            let start = minute(slot.start.instant)
            let free = table.free(at: start)
            #expect(slot.free == free, "\(slot.start)")
            let isAvailable = free >= generated.options.seats && table.isInWindow(start)
            #expect(slot.isAvailable == isAvailable, "\(slot.start)")
            #expect((slot.staff == nil) == generated.salon.staff.isEmpty)
            let staff = slot.staff ?? []
            let freeStaff = staff.filter { $0.rule == nil }.map(\.staffID)
            #expect(freeStaff == table.freeStaff(at: start), "\(slot.start)")
            let workers = staff.filter { $0.rule != "notWorking" }.map(\.staffID)
            #expect(workers == table.workers(at: start), "\(slot.start)")
        }
    }

    @Test("the slots of some start times are those of all of them", arguments: UInt64(200)..<240)
    func slotsOfSomeStarts(seed: UInt64) throws {
        let generated = try GeneratedSchedule(seed: seed)
        let schedule = generated.schedule(.grains)
        let requirement = try schedule.requirement(for: generated.options)
        let starts = schedule.starts(for: requirement, from: generated.from, to: generated.to)
        let middle = starts.count / 3
        let parts = [starts[..<middle], starts[middle...]].flatMap { starts in
            let times = (starts.first ?? generated.from, starts.last ?? generated.from)
            let first = requirement.interval(from: times.0)
            let interval = first.lowerBound..<requirement.interval(from: times.1).upperBound
            var (range, busy) = (interval, generated.busy(in: interval))
            while let longer = schedule.longerRange(than: range, for: interval, busy: busy) {
                (range, busy) = (longer, generated.busy(in: longer))
            }
            return schedule.slots(
                at: starts,
                for: requirement,
                busy: busy,
                now: generated.now,
                isExplained: true
            )
        }
        #expect(parts == (try slots(generated, .grains)))
    }

    @Test(
        "an offered slot can be booked, and no other time on the grid",
        arguments: UInt64(100)..<130
    )
    func offeredSlotsCanBeBooked(seed: UInt64) throws {
        let precision = seed % 2 == 0 ? TimePrecision.exact : .grains
        let generated = try GeneratedSchedule(seed: seed)
        let schedule = generated.schedule(precision)
        let requirement = try schedule.requirement(for: generated.options)
        let (busy, now) = (generated.busy, generated.now)
        let slots = try slots(generated, precision)
        let offered = Set(slots.filter(\.isAvailable).map { minute($0.start.instant) })
        let listed = Set(slots.map { minute($0.start.instant) })
        let table = MinuteTable(of: generated, precision)
        for start in stride(from: minute(generated.from), to: minute(generated.to), by: 5)
        where listed.contains(start) || start % 3 == 0 {
            let instant = instant(start)
            let rule = schedule.rule(blocking: instant, for: requirement, busy: busy, now: now)
            #expect(
                (rule == nil) == table.isBookable(start),
                "\(start): \(String(describing: rule))"
            )
            if generated.salon.slotMinutes != nil || listed.contains(start) {
                #expect((rule == nil) == offered.contains(start), "\(start)")
            }
            if rule != nil && rule != .taken { continue }
            let allocation = schedule.allocation(for: requirement, at: instant, busy: busy)
            #expect((allocation != nil) == (rule == nil), "\(start)")
        }
    }

    @Test(
        "client and backend agree on every slot if all times are multiples of five minutes",
        arguments: UInt64(200)..<240
    )
    func precisionsAgree(seed: UInt64) throws {
        let generated = try GeneratedSchedule(seed: seed)
        #expect(try slots(generated, .exact) == slots(generated, .grains))
    }

    @Test(
        "bookings never overlap on a staff member, and never take more seats than there are",
        arguments: UInt64(300)..<316
    )
    func bookingsNeverOverlap(seed: UInt64) throws {
        let precision = seed % 2 == 0 ? TimePrecision.exact : .grains
        var generated = try GeneratedSchedule(seed: seed, unit: seed % 4 < 2 ? 1 : 5)
        generated.busy = []
        var random = RandomNumbers(seed: seed &+ 1_000)
        var booked = 0
        for _ in 0..<80 {
            generated.chooseOptions(&random)
            let schedule = generated.schedule(precision)
            let requirement = try schedule.requirement(for: generated.options)
            let start = generated.instant(&random, margin: 0)
            let allocation = schedule.allocation(
                for: requirement,
                at: start,
                busy: generated.busy
            )
            guard let allocation else { continue }
            booked += 1
            let table = MinuteTable(of: generated, precision)
            #expect(table.free(at: minute(start)) >= generated.options.seats)
            let taken = generated.schedule(.exact)
            let interval = try taken.requirement(for: generated.options).interval(from: start)
            var busy = BusyInterval(start: interval.lowerBound, end: interval.upperBound)
            switch allocation {
            case .seats(let count):
                #expect(count == generated.options.seats)
                busy.seats = count
            case .staff(let id):
                #expect(table.freeStaff(at: minute(start)).contains(id))
                busy.staffID = id
            }
            generated.busy.append(busy)
        }
        #expect(booked > 0 || !generated.salon.staff.isEmpty)
        expectNoOverlap(generated, precision)
    }

    private func expectNoOverlap(_ generated: GeneratedSchedule, _ precision: TimePrecision) {
        let seconds: Int64 = precision == .grains ? 300 : 60
        var taken: [String: [Int64: Int]] = [:]
        for interval in generated.busy {
            var instant = interval.start.secondsSince1970
            instant -= (instant % seconds + seconds) % seconds
            while instant < interval.end.secondsSince1970 {
                taken[interval.staffID ?? "", default: [:]][instant, default: 0] += interval.seats
                instant += seconds
            }
        }
        for (id, counts) in taken {
            #expect(counts.values.max() ?? 0 <= (id.isEmpty ? generated.salon.seats ?? 1 : 1))
        }
    }

    @Test(
        "the free staff member with the least work that day, then that week, and then by hash is chosen",
        arguments: UInt64(400)..<430
    )
    func leastBusy(seed: UInt64) throws {
        let generated = try GeneratedSchedule(seed: seed)
        if generated.salon.staff.isEmpty { return }
        let schedule = generated.schedule(.grains)
        let requirement = try schedule.requirement(for: generated.options)
        let table = MinuteTable(of: generated, .grains)
        for slot in try slots(generated, .grains) where (slot.free ?? 0) > 0 {
            let start = minute(slot.start.instant)
            let candidates = table.candidates(at: start)
            guard table.isOnOneDay(start) else { continue }
            let preferred = candidates.filter { !$0.isNeeded }
            let free = (preferred.isEmpty ? candidates : preferred).map(\.id)
            let expected = table.assigned(free, at: start, generated.busy)
            let known = known(of: generated, for: requirement, at: slot.start.instant)
            for busy in [generated.busy, known] {
                let chosen = schedule.allocation(
                    for: requirement,
                    at: slot.start.instant,
                    busy: busy
                ) { Schedule.work(in: $0, of: generated.busy) }
                #expect(chosen == expected.map { .staff($0) }, "\(start)")
            }
            for member in generated.salon.staff {
                let chosen = schedule.allocation(
                    for: requirement,
                    at: slot.start.instant,
                    busy: known,
                    preferring: member.id
                ) { Schedule.work(in: $0, of: generated.busy) }
                let isFree = candidates.contains { $0.id == member.id }
                #expect(chosen == (isFree ? member.id : expected).map { .staff($0) }, "\(start)")
            }
        }
    }

    /// What a store reads for an allocation.
    private func known(
        of generated: GeneratedSchedule,
        for requirement: Requirement,
        at start: Timestamp
    ) -> [BusyInterval] {
        let schedule = generated.schedule(requirement.precision)
        var range = schedule.allocationRange(for: requirement, at: start)
        let interval = requirement.interval(from: start)
        while true {
            let known = generated.busy.filter {
                $0.start < range.upperBound && $0.end > range.lowerBound
            }
            guard let longer = schedule.longerRange(than: range, for: interval, busy: known) else {
                return known
            }
            range = longer
        }
    }

    @Test("a week with a clock change neither loses nor repeats a slot", arguments: [5, 30, 60])
    func weeks(step: Int) throws {
        for change in try ClockChange.all() {
            let seed = UInt64(change.minute.magnitude)
            var generated = try GeneratedSchedule(seed: seed)
            generated.change = change
            generated.clock = try change.clock()
            generated.from = instant(change.minute - 3 * 1_440)
            generated.to = instant(change.minute + 4 * 1_440)
            generated.options = BookingOptions()
            generated.salon.staff = []
            generated.salon.exceptions = []
            generated.salon.slotMinutes = step
            let table = MinuteTable(of: generated, .exact)
            let expected = (minute(generated.from)..<minute(generated.to)).filter(table.isListed)
            #expect(try slots(generated, .exact).map { minute($0.start.instant) } == expected)
            // Around the clock, every minute of the week belongs to exactly one slot.
            let always = OpeningHours(
                opens: TimeOfDay(minuteOfDay: 0),
                closes: TimeOfDay(minuteOfDay: 0)
            )
            (generated.salon.hours, generated.salon.weekly) = (always, nil)
            let slots = try slots(generated, .exact)
            #expect(
                zip(slots, slots.dropFirst()).allSatisfy { $0.start.instant < $1.start.instant }
            )
            // Half an hour that a clock gains or loses is too short for a slot of an hour.
            if (change.after - change.before) % step != 0 { continue }
            #expect(zip(slots, slots.dropFirst()).allSatisfy { $0.end.instant == $1.start.instant })
            let elapsed = slots.last?.end.instant.seconds(
                since: try #require(slots.first).start.instant
            )
            #expect(elapsed == Int64(slots.count * step) * 60, "\(change)")
            #expect(slots.count >= (7 * 1_440 - 2 * step) / step, "\(change)")
        }
    }
}
