import BookingStorage
import Domain

/// Decides how many elements fit on a page: at most a number of elements, and about 512 KiB. So
/// many clients that read long texts slowly do not fill the memory.
struct PageBudget {
    static let maximumBytes = 512 << 10

    private var elements: Int
    private var bytes = maximumBytes

    init(limit: Int) { elements = limit }

    /// Whether an element of about this many bytes fits after the previous ones. The first one
    /// always fits.
    mutating func take(bytes: Int) -> Bool {
        guard elements > 0, self.bytes > 0 else { return false }
        elements -= 1
        self.bytes -= bytes
        return true
    }
}

extension PageBudget {
    /// How many staff members are examined for one page of slots. This bounds the time in which other
    /// requests wait.
    private static let maximumExaminations = 1_000_000

    /// The number of slots on a page: at least one. For each slot, all staff members who can be
    /// chosen are examined, and if slots are explained, they are listed, too. The JSON of a slot
    /// has about 110 bytes, and that of a staff member at most 44 and the id.
    static func slotCount(for requirement: Requirement, isExplained: Bool) -> Int {
        var (examinations, bytes) = (1, 110)
        if case .staff(let members) = requirement.resources {
            examinations = max(members.count, 1)
            if isExplained { bytes += members.reduce(12) { $0 + 44 + $1.id.utf8.count } }
        }
        return max(min(maximumExaminations / examinations, maximumBytes / bytes), 1)
    }
}

// The lengths of JSON below are approximate. An escaped character counts as one byte.

extension StoredAppointment {
    var approximateBytes: Int {
        320 + booking.phone.utf8.count + (booking.email?.utf8.count ?? 0)
            + (booking.note?.utf8.count ?? 0) + (booking.options.serviceID?.utf8.count ?? 0)
            + (booking.options.staffID?.utf8.count ?? 0)
            + (serviceName.map { 150 + $0.utf8.count } ?? 0)
    }
}

extension Salon {
    var approximateBytes: Int {
        250 + name.utf8.count + location.utf8.count + (phone?.utf8.count ?? 0)
            + (weekly?.approximateBytes ?? 0)
            + exceptions.reduce(0) { $0 + $1.approximateBytes }
            + services.reduce(0) { $0 + 150 + $1.id.utf8.count + $1.name.utf8.count }
            + staff.reduce(0) { $0 + $1.approximateBytes }
    }
}

extension StaffMember {
    fileprivate var approximateBytes: Int {
        60 + id.utf8.count + name.utf8.count
            + (services ?? []).reduce(0) { $0 + 3 + $1.utf8.count }
            + (weekly?.approximateBytes ?? 0)
            + exceptions.reduce(0) { $0 + $1.approximateBytes }
    }
}

extension WeeklyHours {
    fileprivate var approximateBytes: Int {
        Weekday.allCases.reduce(12) { $0 + 8 + 18 * self[$1].count }
    }
}

extension OpeningException {
    fileprivate var approximateBytes: Int { 90 + 18 * hours.count }
}
