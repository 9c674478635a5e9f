import BookingStorage
import Domain

/// Decides how many elements fit on a page: at most a number of elements, and about 512 KiB. So
/// many clients that read long texts slowly do not fill the memory.
struct PageBudget {
    private static let maximumBytes = 512 << 10

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

extension StoredAppointment {
    /// The approximate length of the JSON. An escaped character counts as one byte.
    var approximateBytes: Int {
        250 + booking.phone.utf8.count + (booking.email?.utf8.count ?? 0)
            + (booking.note?.utf8.count ?? 0)
    }
}

extension Salon {
    /// The approximate length of the JSON. An escaped character counts as one byte.
    var approximateBytes: Int {
        250 + name.utf8.count + location.utf8.count + (phone?.utf8.count ?? 0)
            + 70 * exceptions.count
    }
}
