import BookingStorage
import Domain

/// The calls that wait for a connection.
struct CallQueue {
    /// What a connection does next.
    enum Work {
        case call(any PendingCall)
        /// A call that waits for a lock.
        case locked(any PendingCall)
        case batch(BookingBatch)
    }

    private static let maximumCount = 4_096
    /// How many calls are searched for bookings of a batch.
    private static let searchedCount = 64

    /// How many connections may wait for locks at the same time.
    private let maximumLocked: Int
    private var calls: [any PendingCall] = []
    /// The calls that have met a lock, and the number of those that wait for it on a connection.
    private var locked: [any PendingCall] = []
    private var lockedCount = 0

    /// Others may keep a lock for as long as they like, and all calls that need it wait. So at most
    /// half of the connections wait for locks, and the others do what needs none.
    init(connections: Int) { maximumLocked = max(1, connections / 2) }

    /// The number of calls that wait.
    var count: Int { calls.count + locked.count }

    /// Whether a connection has something to do.
    var isEmpty: Bool { calls.isEmpty && (locked.isEmpty || lockedCount >= maximumLocked) }

    /// Whether no more calls may wait.
    var isFull: Bool { count >= Self.maximumCount }

    /// Whether calls wait for locks.
    var hasLocked: Bool { lockedCount > 0 || !locked.isEmpty }

    mutating func append(_ call: any PendingCall) { calls.append(call) }

    /// Adds calls that have been in the queue before. They are the next ones.
    mutating func putBack(_ calls: [any PendingCall]) {
        self.calls.insert(contentsOf: calls, at: 0)
    }

    /// Adds a call that has met a lock.
    mutating func appendLocked(_ call: any PendingCall) { locked.append(call) }

    /// Records that a call no longer waits for a lock.
    mutating func endLocked() { lockedCount -= 1 }

    /// Removes the calls that no one waits for.
    mutating func removeOver() {
        calls.removeAll { $0.isOver }
        locked.removeAll { $0.isOver }
    }

    /// Removes the first call.
    mutating func removeFirst() -> (any PendingCall)? {
        calls.isEmpty ? nil : calls.removeFirst()
    }

    /// Removes the next call. If it is a booking, also removes waiting bookings of other salons.
    /// Returns nil if the queue is empty.
    mutating func next() -> Work? {
        if lockedCount < maximumLocked, !locked.isEmpty {
            lockedCount += 1
            return .locked(locked.removeFirst())
        }
        guard let first = removeFirst() else { return nil }
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
