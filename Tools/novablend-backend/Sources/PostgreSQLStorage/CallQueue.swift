import BookingStorage
import Domain

/// The calls that wait for a connection.
struct CallQueue {
    /// What a connection does next.
    enum Work {
        case call(any PendingCall)
        case batch(BookingBatch)
    }

    private static let maximumCount = 4_096
    /// How many calls are searched for bookings of a batch.
    private static let searchedCount = 64

    private var calls: [any PendingCall] = []

    /// The number of calls that wait.
    var count: Int { calls.count }

    /// Whether no more calls may wait.
    var isFull: Bool { calls.count >= Self.maximumCount }

    mutating func append(_ call: any PendingCall) { calls.append(call) }

    /// Adds calls that have been in the queue before. They are the next ones.
    mutating func putBack(_ calls: [any PendingCall]) {
        self.calls.insert(contentsOf: calls, at: 0)
    }

    /// Removes the next call. If it is a booking, also removes waiting bookings of other salons.
    /// Returns nil if the queue is empty.
    mutating func next() -> Work? {
        guard !calls.isEmpty else { return nil }
        let first = calls.removeFirst()
        guard let booking = first as? PendingBooking, booking.canShare else { return .call(first) }
        let batch = [booking] + bookings(besides: booking)
        return batch.count == 1 ? .call(booking) : .batch(BookingBatch(batch))
    }

    private mutating func bookings(besides first: PendingBooking) -> [PendingBooking] {
        var found: [PendingBooking] = []
        var salons: Set = [first.booking.salonID]
        var index = 0
        while index < min(calls.count, Self.searchedCount),
            found.count < BookingBatch.maximumCount - 1
        {
            if let booking = calls[index] as? PendingBooking, booking.canShare,
                salons.insert(booking.booking.salonID).inserted
            {
                found.append(booking)
                calls.remove(at: index)
            } else {
                index += 1
            }
        }
        return found
    }
}
