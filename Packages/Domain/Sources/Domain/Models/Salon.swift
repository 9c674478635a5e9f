/// A salon that offers appointments.
///
/// Optional properties are declared as `Optional<T>` for speed. A `var` of type `T?` starts as nil,
/// and then the compiler initializes the whole struct twice.
public struct Salon: Sendable, Hashable {
    /// The identifier.
    public var id: SalonID
    /// The name.
    public var name: String
    /// The location, as the server words it.
    public var location: String
    /// Other names by which people look for the salon or its place, such as `Copenhagen` for
    /// `København`.
    public var aliases: [String]
    /// The phone number; nil if the server states none.
    public var phone: Optional<String>
    /// The opening hours of every day. If ``weekly`` is stated, they are only a summary: the earliest
    /// opening and the latest closing.
    public var hours: OpeningHours
    /// The opening hours of each weekday; nil if they are ``hours`` on every day.
    public var weekly: Optional<WeeklyHours>
    /// The minutes between two start times, and the length of an appointment without a service; nil
    /// if the salon states none. If it is stated, appointments start at multiples of it after
    /// opening; otherwise they can start at any time.
    public var slotMinutes: Optional<Int>
    /// The time zone of the salon's wall clock. If it is nil, the opening hours apply at the UTC
    /// offset of each request.
    public var timeZone: Optional<ZoneID>
    /// The days with different hours.
    public var exceptions: [OpeningException]
    /// The minimum number of minutes between a booking and the start of its appointment.
    public var leadMinutes: Int
    /// The maximum number of days between today and an appointment; nil if the salon states none.
    public var furthestDays: Optional<Int>
    /// How many appointments each customer may have at the salon.
    public var customerLimits: CustomerLimits
    /// The services; empty if customers cannot choose one.
    public var services: [Service]
    /// The staff members that customers can book; empty if appointments take seats instead.
    public var staff: [StaffMember]
    /// The number of appointments that can take place at the same time if there is no staff; nil if
    /// the salon states none, which means 1.
    public var seats: Optional<Int>
    /// A number that increases with each change; nil if the server does not count changes.
    public var version: Optional<Int>

    /// The assumed length, in minutes, of an appointment at a salon that states none.
    public static let assumedSlotMinutes = 30

    /// The length in minutes, stated or assumed, of an appointment without a service.
    public var appointmentMinutes: Int { slotMinutes ?? Self.assumedSlotMinutes }

    /// Creates a salon.
    public init(
        id: SalonID,
        name: String,
        location: String,
        aliases: [String] = [],
        phone: String? = nil,
        hours: OpeningHours,
        slotMinutes: Int? = nil,
        timeZone: ZoneID? = nil,
        exceptions: [OpeningException] = [],
        leadMinutes: Int = 0,
        furthestDays: Int? = nil,
        customerLimits: CustomerLimits = CustomerLimits(),
        version: Int? = nil,
        weekly: WeeklyHours? = nil,
        services: [Service] = [],
        staff: [StaffMember] = [],
        seats: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.location = location
        self.aliases = aliases
        self.phone = phone
        self.hours = hours
        self.slotMinutes = slotMinutes
        self.timeZone = timeZone
        self.exceptions = exceptions
        self.leadMinutes = leadMinutes
        self.furthestDays = furthestDays
        self.customerLimits = customerLimits
        self.version = version
        self.weekly = weekly
        self.services = services
        self.staff = staff
        self.seats = seats
    }

    /// The opening hours as text: ``weekly``, or else ``hours``.
    public var hoursText: String { weekly?.description ?? hours.description }

    /// The service with this id; nil if the id is nil or the salon does not have it.
    public func service(_ id: String?) -> Service? { services.first { $0.id == id } }

    /// The staff member with this id; nil if the id is nil or the salon does not have it.
    public func member(_ id: String?) -> StaffMember? { staff.first { $0.id == id } }

    /// The hours that start on `date`, in order; empty if the salon is closed on that day. If
    /// several exceptions include this date, the first one applies.
    public func hours(on date: CalendarDate) -> [OpeningHours] {
        if let exception = exceptions.first(where: { $0.dates.contains(date) }) {
            return exception.hours
        }
        return weekly?[date.weekday] ?? [hours]
    }
}

/// How many appointments each customer may have. Staff and administrators book without limits.
public struct CustomerLimits: Sendable, Hashable {
    /// The maximum number of active appointments that have not ended; nil for any number.
    public var active: Optional<Int>
    /// The maximum number of appointments that are booked within 24 hours; nil for any number.
    public var perDay: Optional<Int>

    /// Creates limits.
    public init(active: Int? = nil, perDay: Int? = nil) {
        self.active = active
        self.perDay = perDay
    }
}

/// A service that a salon offers, such as a haircut.
public struct Service: Sendable, Hashable {
    /// The identifier, unique in the salon.
    public var id: String
    /// The name.
    public var name: String
    /// The length in minutes, without buffers.
    public var minutes: Int
    /// The minutes before the service in which its staff member or seat is not free.
    public var bufferBefore: Int
    /// The minutes after the service in which its staff member or seat is not free.
    public var bufferAfter: Int
    /// The price; nil if the salon states none.
    public var price: Price?

    /// Creates a service.
    public init(
        id: String,
        name: String,
        minutes: Int,
        bufferBefore: Int = 0,
        bufferAfter: Int = 0,
        price: Price? = nil
    ) {
        self.id = id
        self.name = name
        self.minutes = minutes
        self.bufferBefore = bufferBefore
        self.bufferAfter = bufferAfter
        self.price = price
    }
}

/// An amount of money.
public struct Price: Sendable, Hashable {
    /// The amount in the minor unit of the currency, such as cents; at least 0.
    public var amount: Int
    /// The currency: three uppercase letters (ISO 4217).
    public var currency: String

    /// Creates a price.
    public init(amount: Int, currency: String) {
        self.amount = amount
        self.currency = currency
    }
}

extension Price: CustomStringConvertible {
    /// The amount with the decimals of the currency, such as `45.00 EUR` or `4500 JPY`.
    public var description: String {
        let decimals = Self.decimals(of: currency)
        let digits = String(amount.magnitude)
        let sign = amount < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(digits) \(currency)" }
        let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals)) \(currency)"
    }

    /// The number of decimals of a currency (ISO 4217, list one). Most have two.
    private static func decimals(of currency: String) -> Int {
        switch currency {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI",
            "VND", "VUV", "XAF", "XOF", "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        case "CLF", "UYW": 4
        default: 2
        }
    }
}

/// A person who works at a salon and takes one appointment at a time.
public struct StaffMember: Sendable, Hashable {
    /// The identifier, unique in the salon.
    public var id: String
    /// The name.
    public var name: String
    /// The ids of the services that the person offers; nil for all.
    public var services: [String]?
    /// The working hours; nil for the salon's opening hours. The person works only while the salon
    /// is open, too.
    public var weekly: WeeklyHours?
    /// The days with different working hours.
    public var exceptions: [OpeningException]

    /// Creates a staff member.
    public init(
        id: String,
        name: String,
        services: [String]? = nil,
        weekly: WeeklyHours? = nil,
        exceptions: [OpeningException] = []
    ) {
        self.id = id
        self.name = name
        self.services = services
        self.weekly = weekly
        self.exceptions = exceptions
    }

    /// Whether the person offers the service. Everyone offers an appointment without a service.
    public func offers(_ serviceID: String?) -> Bool {
        guard let serviceID, let services else { return true }
        return services.contains(serviceID)
    }

    /// The working hours that start on `date`, in order; nil if they are the salon's opening hours.
    public func hours(on date: CalendarDate) -> [OpeningHours]? {
        exceptions.first { $0.dates.contains(date) }?.hours ?? weekly?[date.weekday]
    }
}

/// An interval of a day in which a salon is open or a staff member works, on the salon's wall clock.
public struct OpeningHours: Sendable, Hashable {
    /// The opening time.
    public var opens: TimeOfDay
    /// The closing time: the first minute in which the salon is closed again.
    public var closes: TimeOfDay

    /// Creates opening hours. If `closes` is before `opens`, the salon closes on the next day. If
    /// they are equal, the salon is open around the clock.
    public init(opens: TimeOfDay, closes: TimeOfDay) {
        self.opens = opens
        self.closes = closes
    }

    /// The closing time in minutes since the midnight before ``opens``: 1,440 if the salon closes
    /// at midnight, and more if it closes on the next day.
    public var endMinutes: Int { closes > opens ? closes.minutes : closes.minutes + 1_440 }
}

extension [OpeningHours] {
    /// The hours as text, such as `09:00-12:30, 14:00-18:00`; nil for an empty list.
    public var text: String? {
        isEmpty ? nil : map(\.description).joined(separator: ", ")
    }

    /// The time from the earliest opening to the latest closing; nil for an empty list. If that is a
    /// day or more, the two times are equal.
    public var summary: OpeningHours? {
        guard let opens = map(\.opens).min(), let end = map(\.endMinutes).max() else { return nil }
        let minutes = Swift.min(end, opens.minutes + 1_440)
        return OpeningHours(opens: opens, closes: TimeOfDay(minuteOfDay: minutes))
    }
}

extension OpeningHours: CustomStringConvertible {
    /// The hours in the form `09:30-22:30`; `00:00-24:00` if the salon is open around the clock.
    public var description: String {
        if opens == closes { return "00:00-24:00" }
        // A list contains this text for each salon, and interpolation is slow.
        let numbers = [opens.hour, opens.minute, closes.hour, closes.minute]
        return String(unsafeUninitializedCapacity: "09:30-22:30".utf8.count) { buffer in
            for (position, number) in numbers.enumerated() {
                buffer[3 * position] = UInt8(ascii: "0") + UInt8(number / 10)
                buffer[3 * position + 1] = UInt8(ascii: "0") + UInt8(number % 10)
                if position == 3 { break }
                let separator = position == 1 ? UInt8(ascii: "-") : UInt8(ascii: ":")
                buffer[3 * position + 2] = separator
            }
            return "09:30-22:30".utf8.count
        }
    }
}

/// The hours in which a salon is open, or a staff member works, on each day of the week.
public struct WeeklyHours: Sendable, Hashable {
    private var days: [[OpeningHours]]

    /// Creates weekly hours. A missing day is closed.
    public init(_ hours: [Weekday: [OpeningHours]] = [:]) {
        days = Weekday.allCases.map { hours[$0] ?? [] }
    }

    /// The hours that start on `day`, in order; empty if closed.
    public subscript(day: Weekday) -> [OpeningHours] {
        get { days[day.daysSinceMonday] }
        set { days[day.daysSinceMonday] = newValue }
    }
}

extension WeeklyHours: CustomStringConvertible {
    /// The hours as text, such as `Mon-Fri 09:00-12:30, 14:00-18:00; Sat 10:00-14:00`. Closed days
    /// are left out; `closed` if all are.
    public var description: String {
        var groups: [(first: Weekday, last: Weekday, text: String)] = []
        for day in Weekday.allCases {
            guard let text = self[day].text else { continue }
            if let last = groups.last, last.text == text,
                last.last.daysSinceMonday + 1 == day.daysSinceMonday
            {
                groups[groups.count - 1].last = day
            } else {
                groups.append((day, day, text))
            }
        }
        if groups.isEmpty { return "closed" }
        return groups.map { group in
            let first = group.first.rawValue.prefix(3)
            let last = group.first == group.last ? "" : "-\(group.last.rawValue.prefix(3))"
            return "\(first)\(last) \(group.text)"
        }.joined(separator: "; ")
    }
}

/// Days on which a salon or a staff member has different hours or none.
public struct OpeningException: Sendable, Hashable {
    /// The first and the last day on the salon's wall clock.
    public var dates: ClosedRange<CalendarDate>
    /// The hours that start on each of these days, in order; empty if closed. They do not affect the hours of
    /// the day before that extend past midnight.
    public var hours: [OpeningHours]

    /// Creates an exception for several days.
    public init(dates: ClosedRange<CalendarDate>, hours: [OpeningHours]) {
        self.dates = dates
        self.hours = hours
    }

    /// Creates an exception for one day.
    public init(date: CalendarDate, hours: [OpeningHours]) {
        self.init(dates: date...date, hours: hours)
    }
}
