import BookingStorage
import Domain

extension StoreModel {
    /// The appointments that ended before an instant.
    func endedAppointments(before end: Timestamp) -> Set<String> {
        Set(appointments.values.filter { $0.endTime.instant < end }.map(\.id))
    }

    /// Deletes the holds that are no longer remembered.
    mutating func deleteExpiredHolds() {
        let oldest = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        holds.removeAll { $0.expiresAt < oldest }
    }

    /// Deletes appointments and the results of their requests.
    mutating func delete(_ ids: Set<String>) {
        for id in ids { appointments[id] = nil }
        for (place, state) in keys {
            if case .used(_, let result) = state, ids.contains(result.id) {
                keys[place] = .resultDeleted
            }
        }
    }
}
