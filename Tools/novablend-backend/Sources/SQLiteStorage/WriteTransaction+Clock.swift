import BookingStorage
import Domain

extension WriteTransaction {
    /// Whether what has expired may be deleted.
    func isClockSteady() throws(StorageFailure) -> Bool {
        let observation = clock.observe(now)
        if let record = observation.record { try ClockRows.write(record, in: database) }
        return observation.isSteady
    }
}
