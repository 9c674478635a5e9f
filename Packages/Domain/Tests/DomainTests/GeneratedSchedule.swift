import Domain
import DomainTestSupport
import Testing

/// A salon near a clock change, what is taken there, and what a customer wants, all of which depend
/// on a seed only.
struct GeneratedSchedule {
    var change: ClockChange
    var salon: Salon
    var clock: SalonClock
    var options = BookingOptions()
    var busy: [BusyInterval] = []
    /// The range whose slots are asked for.
    var from: Timestamp
    var to: Timestamp
    var now: Timestamp
    /// All times are multiples of this number of minutes.
    private let unit: Int

    init(seed: UInt64, unit: Int = 5) throws {
        var random = RandomNumbers(seed: seed)
        self.unit = unit
        change = random.element(try ClockChange.all())
        clock = try change.clock()
        let first = change.minute / 5 * 5 + random.number(-500...200) * 5
        from = Timestamp(secondsSince1970: Int64(first) * 60)
        to = from.advanced(bySeconds: Int64(random.number(100...700)) * 300)
        now = from.advanced(bySeconds: Int64(random.number(-200_000...40_000)))
        salon = Samples.salon()
        makeSalon(&random)
        makeStaff(&random)
        for _ in 0..<random.number(0...40) { busy.append(makeBusyInterval(&random)) }
        chooseOptions(&random)
    }

    func schedule(_ precision: TimePrecision) -> Schedule {
        Schedule(of: salon, on: clock, precision: precision)
    }

    /// What is taken in a range.
    func busy(in range: Range<Timestamp>) -> [BusyInterval] {
        busy.filter { $0.start < range.upperBound && $0.end > range.lowerBound }
    }

    /// A time that is a multiple of the unit, within two days of the range.
    func instant(_ random: inout RandomNumbers, margin: Int = 2_880) -> Timestamp {
        let length = Int(to.seconds(since: from) / 60)
        let minute = random.number(-margin / unit...(length + margin) / unit) * unit
        return from.advanced(bySeconds: Int64(minute) * 60)
    }

    /// What a customer chooses.
    mutating func chooseOptions(_ random: inout RandomNumbers) {
        options = BookingOptions()
        if !salon.services.isEmpty, random.isTrue(percent: 70) {
            options.serviceID = random.element(salon.services).id
        }
        if salon.staff.isEmpty {
            options.seats = random.number(1...max(salon.seats ?? 1, 1))
        } else if random.isTrue(percent: 30) {
            options.staffID = random.element(salon.staff).id
        }
        // Perhaps no one offers the service.
        if (try? schedule(.exact).requirement(for: options)) == nil { options = BookingOptions() }
    }

    private mutating func makeSalon(_ random: inout RandomNumbers) {
        salon.hours = hours(&random).first ?? salon.hours
        salon.weekly = random.isTrue(percent: 80) ? weekly(&random) : nil
        salon.exceptions = exceptions(&random)
        let steps = unit == 5 ? [5, 10, 25, 30, 45, 60, 240] : [1, 7, 13, 30, 50]
        salon.slotMinutes = random.isTrue(percent: 80) ? random.element(steps) : nil
        salon.leadMinutes = random.element([0, 0, 90, 1_440])
        salon.furthestDays = random.element([nil, nil, 0, 1, 3])
        salon.seats = random.element([nil, 1, 2, 4])
        for number in 0..<random.number(0...3) {
            salon.services.append(
                Service(
                    id: "s\(number)",
                    name: "Service \(number)",
                    minutes: random.number(1...150 / unit) * unit,
                    bufferBefore: buffer(&random),
                    bufferAfter: buffer(&random)
                )
            )
        }
    }

    private func buffer(_ random: inout RandomNumbers) -> Int {
        random.element([0, 0, 15, random.number(0...60 / unit) * unit, 1_440])
    }

    private mutating func makeStaff(_ random: inout RandomNumbers) {
        guard random.isTrue(percent: 60) else { return }
        let services = salon.services.map(\.id)
        for number in 0..<random.number(1...4) {
            salon.staff.append(
                StaffMember(
                    id: "p\(number)",
                    name: "Person \(number)",
                    services: random.isTrue(percent: 50)
                        ? nil : services.filter { _ in random.isTrue(percent: 60) },
                    weekly: random.isTrue(percent: 60) ? weekly(&random) : nil,
                    exceptions: random.isTrue(percent: 40) ? exceptions(&random) : []
                )
            )
        }
    }

    private func makeBusyInterval(_ random: inout RandomNumbers) -> BusyInterval {
        let start = instant(&random)
        let lengths = [0, unit, random.number(0...180 / unit) * unit, 2_880 / unit * unit]
        let minutes = random.element(lengths)
        let staff: [String?] = salon.staff.map(\.id) + [nil, "someone who left"]
        return BusyInterval(
            start: start,
            end: start.advanced(bySeconds: Int64(minutes) * 60),
            staffID: random.element(staff),
            seats: random.element([1, 1, 2])
        )
    }

    private func weekly(_ random: inout RandomNumbers) -> WeeklyHours {
        var weekly = WeeklyHours()
        let isAroundTheClock = random.isTrue(percent: 15)
        for day in Weekday.allCases {
            let midnight = TimeOfDay(minuteOfDay: 0)
            weekly[day] =
                isAroundTheClock && random.isTrue(percent: 90)
                ? [OpeningHours(opens: midnight, closes: midnight)] : hours(&random)
        }
        return weekly
    }

    private func exceptions(_ random: inout RandomNumbers) -> [OpeningException] {
        (0..<random.number(0...3)).map { _ in
            let date = clock.time(at: instant(&random)).localTime.date
            let last = date.advanced(byDays: random.element([0, 0, 1, 9]))
            return OpeningException(dates: date...last, hours: hours(&random))
        }
    }

    /// Up to three intervals, in order. The last one may end on the next day, even after that day
    /// opens.
    private func hours(_ random: inout RandomNumbers) -> [OpeningHours] {
        let count = random.element([0, 1, 1, 2, 2, 3])
        var times = Set<Int>()
        while times.count < 2 * count {
            let early = random.isTrue(percent: 30)
            times.insert(random.number(0...(early ? 180 : 1_439) / unit) * unit)
        }
        var hours: [OpeningHours] = []
        let sorted = times.sorted()
        for index in 0..<count {
            let isAdjacent = index > 0 && random.isTrue(percent: 30)
            let opens = isAdjacent ? sorted[2 * index - 1] : sorted[2 * index]
            let isOvernight = index == count - 1 && random.isTrue(percent: 30)
            let closes =
                isOvernight
                ? random.element([opens, random.number(0...opens / unit) * unit, 0])
                : sorted[2 * index + 1]
            hours.append(
                OpeningHours(
                    opens: TimeOfDay(minuteOfDay: opens),
                    closes: TimeOfDay(minuteOfDay: closes)
                )
            )
        }
        return hours
    }
}
