import Contract
package import Domain
import JSON
import NovaBlendAccounts
package import Persistence

/// Adds an appointment that was just booked or changed to the cached list. Retains appointments
/// that other processes added in the meantime.
package struct StoredAppointmentCache: AppointmentCache {
    let name: String
    /// The identity of the URL that the appointments come from.
    let url: String?
    let store: any SnapshotStore
    let clock: any WallClock

    package init(name: String, url: String?, store: any SnapshotStore, clock: any WallClock) {
        self.name = name
        self.url = url.map(URLParts.identity)
        self.store = store
        self.clock = clock
    }

    package func appointments() -> [Appointment] {
        guard let snapshot = try? store.load(name), SnapshotMetadata(snapshot.metadata).url == url
        else { return [] }
        let payload = snapshot.payload
        let limits = JSONLimits(maximumBytes: payload.count)
        return (try? AppointmentListCodec.decode(payload, limits: limits)) ?? []
    }

    package func add(_ appointment: Appointment) throws(CacheError) {
        var isReadable = true
        do throws(StoreError) {
            try store.update(name) { current in
                // Without a list from the server, it is not known which other appointments exist.
                var metadata = SnapshotMetadata(url: url, isPart: true)
                var (others, savedAt) = ([Appointment](), clock.now.secondsSince1970)
                if let snapshot = current, SnapshotMetadata(snapshot.metadata).url == url {
                    metadata.isPart = SnapshotMetadata(snapshot.metadata).isPart
                    let payload = snapshot.payload
                    let limits = JSONLimits(maximumBytes: payload.count)
                    guard let list = try? AppointmentListCodec.decode(payload, limits: limits)
                    else {
                        isReadable = false
                        return nil
                    }
                    let known = list.filter { $0.isSame(as: appointment) }.compactMap(\.version)
                    // A late confirmation must not replace a newer version of the appointment.
                    if let version = appointment.version, known.contains(where: { $0 > version }) {
                        return nil
                    }
                    others = list.filter { !$0.isSame(as: appointment) }
                    savedAt = snapshot.savedAt
                }
                // The list has no validators, since the server has not sent this exact list.
                return Snapshot(
                    payload: AppointmentListCodec.encode(others + [appointment]),
                    savedAt: savedAt,
                    metadata: metadata.bytes
                )
            }
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
        if !isReadable {
            throw CacheError(.insertion, reason: "the cached appointments violate the contract")
        }
    }
}
