public import Domain

/// Finds the stored appointments that no longer fit their salon.
public struct StoredConflicts: Sendable {
    /// A conflict, and the appointment that has it.
    public typealias Found = (stored: StoredAppointment, conflict: SalonConflict)

    /// The number of appointments that are read at a time.
    private static let batchSize = 1_000
    /// The maximum number of appointments that are compared with each other.
    public static let maximumCompared = 10_000

    private let store: any BookingStore
    private let salon: SalonID
    private let now: Timestamp

    /// Creates a finder of the conflicts of a salon.
    public init(store: any BookingStore, salon: SalonID, now: Timestamp) {
        (self.store, self.salon, self.now) = (store, salon, now)
    }

    /// The conflicts among the first ``maximumCompared`` appointments that take time after now, and
    /// whose id is greater than `id`, in the order of their ids. `next` is the id of the last one that
    /// was read if there may be more; then, the list may be empty.
    ///
    /// Whether the salon has enough people and seats depends on all appointments of a time, so those up
    /// to `id` are read again. Beyond the first ``maximumCompared``, each part is compared by itself.
    public func find(
        _ finder: SalonConflicts,
        after id: String?
    ) async throws(StoreError) -> (found: [Found], next: String?) {
        var (appointments, next) = try await read(after: nil)
        if let id, let last = next, id >= last { (appointments, next) = try await read(after: id) }
        let booked = appointments.map { stored in
            SalonConflicts.Booked(
                stored.appointment,
                minutes: stored.minutes,
                busy: stored.interval
            )
        }
        let byID = Dictionary(appointments.map { ($0.id, $0) }) { first, _ in first }
        let found: [Found] = finder.conflicts(among: booked, now: now).compactMap { conflict in
            guard let stored = conflict.appointment.id.flatMap({ byID[$0] }),
                id.map({ stored.id > $0 }) ?? true
            else { return nil }
            return (stored, conflict)
        }
        return (found, next)
    }

    /// Reads the next appointments, at most ``maximumCompared``, and the id after which there may be
    /// more.
    private func read(
        after id: String?
    ) async throws(StoreError) -> (appointments: [StoredAppointment], next: String?) {
        // An appointment and the buffer after it take at most two days.
        let start = now.advanced(bySeconds: -2 * 86_400)
        var all: [StoredAppointment] = []
        while all.count < Self.maximumCompared {
            let batch = try await store.activeAppointments(
                of: salon,
                startingIn: start..<Timestamp(secondsSince1970: .max),
                after: all.last?.id ?? id,
                limit: Self.batchSize
            )
            all += batch
            if batch.count < Self.batchSize { return (all, nil) }
        }
        return (all, all.last?.id)
    }
}
