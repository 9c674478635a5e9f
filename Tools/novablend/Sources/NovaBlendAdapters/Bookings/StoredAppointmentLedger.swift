import Contract
package import Domain
import NovaBlendAccounts
package import Persistence

/// Adds an appointment that was just booked or changed to the cached list. Appointments that other
/// processes added in the meantime stay.
package struct StoredAppointmentLedger: AppointmentLedger {
    let name: String
    /// The normalized URL that the appointments come from.
    let url: String?
    let store: any SnapshotStore
    let clock: any WallClock

    package init(name: String, url: String?, store: any SnapshotStore, clock: any WallClock) {
        self.name = name
        self.url = url.map(URLParts.normalized)
        self.store = store
        self.clock = clock
    }

    package func appointments() -> [Appointment] {
        guard let snapshot = try? store.load(name), SnapshotMetadata(snapshot.metadata).url == url
        else { return [] }
        let payload = snapshot.payload
        return (try? AppointmentListCodec.decode(payload, limits: .bounded(payload))) ?? []
    }

    package func add(_ appointment: Appointment) throws(CacheError) {
        var isReadable = true
        do throws(StoreError) {
            try store.update(name) { current in
                guard let snapshot = current, SnapshotMetadata(snapshot.metadata).url == url else {
                    return encode([appointment], savedAt: clock.now.secondsSince1970)
                }
                let payload = snapshot.payload
                guard
                    var list = try? AppointmentListCodec.decode(payload, limits: .bounded(payload))
                else {
                    isReadable = false
                    return nil
                }
                // The confirmation may be repeated after someone has changed the appointment.
                if list.contains(where: { $0.isLater(than: appointment) }) { return nil }
                list.removeAll { $0.isSame(as: appointment) }
                list.append(appointment)
                return encode(list, savedAt: snapshot.savedAt)
            }
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
        if !isReadable {
            throw CacheError(.insertion, reason: "the kept appointments break the contract")
        }
    }

    /// Without validators: the server has not confirmed this list as a whole.
    private func encode(_ appointments: [Appointment], savedAt: Int64) -> Snapshot {
        Snapshot(
            payload: AppointmentListCodec.encode(appointments),
            savedAt: savedAt,
            metadata: SnapshotMetadata(url: url).bytes
        )
    }
}

extension Appointment {
    fileprivate func isLater(than other: Appointment) -> Bool {
        guard let version, let otherVersion = other.version else { return false }
        return isSame(as: other) && version > otherVersion
    }
}
