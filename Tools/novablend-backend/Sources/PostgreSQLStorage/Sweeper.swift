import BookingStorage
import Domain
import Synchronization

/// Deletes what is no longer needed, each time after ``interval`` bookings and holds: the past grains
/// of their salons, holds that ended more than a day ago, and expired idempotency keys.
///
/// Nothing depends on it: what is expired has no effect even if it still exists.
final class Sweeper: Sendable {
    /// The number of bookings and holds from one deletion to the next.
    static let interval = 64

    private struct State {
        var count = 0
        var salons: Set<SalonID> = []
    }

    private let state = Mutex(State())
    private let clock: ClockMonitor

    init(_ clock: ClockMonitor) { self.clock = clock }

    /// Records a booking or a hold, and deletes if it is time.
    func changed(_ salon: SalonID, _ pool: ConnectionPool) {
        let salons = state.withLock { state -> Set<SalonID>? in
            state.count += 1
            state.salons.insert(salon)
            guard state.count == Self.interval else { return nil }
            defer { state = State() }
            return state.salons
        }
        if let salons { delete(salons, pool) }
    }

    private func delete(_ salons: Set<SalonID>, _ pool: ConnectionPool) {
        pool.start { [clock] session in
            // If this deletion fails, the next one makes up for it.
            let mayHaveMore = try? session.write(until: .now + session.waitTimeout) {
                try $0.sweep(salons, clock)
            }
            if mayHaveMore == true { self.delete(salons, pool) }
        }
    }
}
