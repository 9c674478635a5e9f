import Contract
import Domain
import Persistence

/// The kept appointments, for one that was just booked or changed: others that were added meanwhile, also by
/// another process, stay.
struct StoredAppointmentLedger: AppointmentLedger {
    let name: String
    let store: any SnapshotStore
    let clock: any WallClock

    func add(_ appointment: Appointment) throws(CacheError) {
        var isReadable = true
        do throws(StoreError) {
            try store.update(name) { current in
                guard let snapshot = current else {
                    let now = clock.now.secondsSince1970
                    return Snapshot(payload: Self.encode([appointment]), savedAt: now)
                }
                let payload = snapshot.payload
                guard
                    var kept = try? AppointmentListCodec.decode(payload, limits: .bounded(payload))
                else {
                    isReadable = false
                    return nil
                }
                // What was confirmed may be told again after somebody changed it since.
                if kept.contains(where: { $0.isLater(than: appointment) }) { return nil }
                kept.removeAll { $0.isSame(as: appointment) }
                kept.append(appointment)
                return Snapshot(payload: Self.encode(kept), savedAt: snapshot.savedAt)
            }
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
        if !isReadable {
            throw CacheError(.insertion, reason: "the kept appointments break the contract")
        }
    }

    private static func encode(_ appointments: [Appointment]) -> [UInt8] {
        AppointmentListCodec.encode(appointments)
    }
}

extension Appointment {
    fileprivate func isLater(than other: Appointment) -> Bool {
        guard let version, let otherVersion = other.version else { return false }
        return isSame(as: other) && version > otherVersion
    }
}
