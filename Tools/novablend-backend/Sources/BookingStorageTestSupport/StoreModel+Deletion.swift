import BookingStorage
import Domain

extension StoreModel {
    /// The appointments that ended before an instant.
    func endedAppointments(before end: Timestamp) -> Set<String> {
        Set(appointments.values.filter { $0.endTime.instant < end }.map(\.id))
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
