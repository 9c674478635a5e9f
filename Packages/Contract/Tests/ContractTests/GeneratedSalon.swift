import Domain
import SystemTestSupport

/// Random salons with weekly hours, services, and staff. Each part is sometimes absent.
struct GeneratedSalon {
    var random = SeededGenerator()

    mutating func next() -> Salon {
        let services = list(upTo: 4) { Self.service("service-\($0)", &$1) }
        return Salon(
            id: SalonID(high: random.next(), low: random.next()),
            name: "Größe \"\(random.next())\"",
            location: "l",
            aliases: list(upTo: 2) { index, _ in "Alias \(index)" },
            phone: Bool.random(using: &random) ? "1" : nil,
            hours: interval(from: 0, to: 1_440),
            slotMinutes: maybe(5...1_440),
            timeZone: Bool.random(using: &random) ? ZoneID("Europe/Berlin") : nil,
            exceptions: exceptions(),
            leadMinutes: maybe(1...527_040) ?? 0,
            furthestDays: maybe(0...3_660),
            customerLimits: CustomerLimits(active: maybe(1...1_000), perDay: maybe(1...1_000)),
            version: maybe(1...9),
            weekly: weekly(),
            services: services,
            staff: list(upTo: 4) { Self.member("staff-\($0)", services.map(\.id), &$1) },
            seats: maybe(1...1_000)
        )
    }

    private mutating func maybe(_ range: ClosedRange<Int>) -> Int? {
        Bool.random(using: &random) ? Int.random(in: range, using: &random) : nil
    }

    private mutating func list<Element>(
        upTo count: Int,
        _ make: (Int, inout GeneratedSalon) -> Element
    ) -> [Element] {
        var elements: [Element] = []
        for index in 0..<Int.random(in: 0...count, using: &random) {
            elements.append(make(index, &self))
        }
        return elements
    }

    private static func service(_ id: String, _ generator: inout GeneratedSalon) -> Service {
        let amount = generator.maybe(0...Int.max)
        return Service(
            id: id,
            name: "",
            minutes: Int.random(in: 1...1_440, using: &generator.random),
            bufferBefore: generator.maybe(0...1_440) ?? 0,
            bufferAfter: generator.maybe(0...1_440) ?? 0,
            price: amount.map { Price(amount: $0, currency: "JPY") }
        )
    }

    private static func member(
        _ id: String,
        _ services: [String],
        _ generator: inout GeneratedSalon
    ) -> StaffMember {
        StaffMember(
            id: id,
            name: "Ana",
            services: Bool.random(using: &generator.random)
                ? services.filter { _ in Bool.random(using: &generator.random) } : nil,
            weekly: generator.weekly(),
            exceptions: generator.exceptions()
        )
    }

    private mutating func weekly() -> WeeklyHours? {
        guard Bool.random(using: &random) else { return nil }
        var weekly = WeeklyHours()
        // The latest end of each day, if the next day's first interval starts at 06:00 or later.
        for day in Weekday.allCases { weekly[day] = hours(from: 360, to: 1_800) }
        return weekly
    }

    private mutating func exceptions() -> [OpeningException] {
        list(upTo: 3) { index, generator in
            let first = CalendarDate(daysSince1970: 20_000 + 10 * index)
            let last = first.advanced(byDays: Int.random(in: 0..<3, using: &generator.random))
            return OpeningException(
                dates: first...last,
                hours: generator.hours(from: 0, to: 2_879)
            )
        }
    }

    /// Intervals of a day in order, some of them adjacent. They start at minute `first` of the day or
    /// later, and end by minute `last`, which may be on the next day.
    private mutating func hours(from first: Int, to last: Int) -> [OpeningHours] {
        var hours: [OpeningHours] = []
        var position = first
        while position < 1_440, Int.random(in: 0..<4, using: &random) > 0 {
            let next = interval(from: position, to: last)
            hours.append(next)
            position = next.endMinutes
        }
        return hours
    }

    private mutating func interval(from first: Int, to last: Int) -> OpeningHours {
        let opens = Bool.random(using: &random) ? first : .random(in: first..<1_440, using: &random)
        let latest = min(last, opens + 1_440)
        let closes = Int.random(in: opens + 1...max(opens + 1, latest), using: &random)
        return OpeningHours(
            opens: TimeOfDay(minuteOfDay: opens),
            closes: TimeOfDay(minuteOfDay: closes)
        )
    }
}
