import BookingStorage
import Domain

/// Bookings of different salons that waited for a connection at the same time. They share one
/// transaction, so also one commit.
///
/// A booking is made in a batch only if nothing but a free time is needed. It runs alone afterward
/// if it is rejected, repeats an earlier request, or loses its time to a different transaction. So
/// there is only one implementation of these other answers.
struct BookingBatch {
    static let maximumCount = 16

    /// The bookings, in the order of their salons, so that two batches never wait for each other.
    private let bookings: [PendingBooking]

    init(_ bookings: [PendingBooking]) {
        self.bookings = bookings.map { ($0.booking.salonID.description, $0) }
            .sorted { $0.0 < $1.0 }
            .map(\.1)
    }

    /// Books, and answers the bookings that have been committed. Returns what must run for the
    /// others.
    func run(_ session: Session) -> [any PendingCall] {
        let bookings = bookings.filter { $0.caller.begin() }
        guard let deadline = bookings.map(\.caller.deadline).min() else { return [] }
        session.callers = bookings.map(\.caller)
        var results: [StoredAppointment?] = []
        do {
            try session.writeOnce(before: deadline) { transaction in
                results = try transaction.book(bookings)
            }
        } catch {
            guard let doubt = error.doubt else { return bookings.map(\.alone) }
            return zip(bookings, results).map { booking, stored in
                stored == nil ? booking.alone : booking.resolving(doubt)
            }
        }
        return zip(bookings, results).compactMap { booking, stored in
            guard let stored else { return booking.alone }
            booking.succeed(stored)
            return nil
        }
    }
}
