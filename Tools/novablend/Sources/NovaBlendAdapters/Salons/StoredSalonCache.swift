import Contract
package import Domain
import JSON
import NovaBlendAccounts
package import Persistence

/// Applies a change of a salon to the cached list of salons.
package struct StoredSalonCache: SalonCache {
    let name: String
    /// The identity of the URL that the salons come from.
    let url: String?
    let store: any SnapshotStore

    package init(name: String, url: String?, store: any SnapshotStore) {
        self.name = name
        self.url = url.map(URLParts.identity)
        self.store = store
    }

    package func store(_ salon: Salon) throws(CacheError) {
        try update { salons in
            guard let index = salons.firstIndex(where: { $0.id == salon.id }) else {
                salons.append(salon)
                return
            }
            // A late confirmation must not replace a newer version of the salon.
            if let new = salon.version, let known = salons[index].version, known > new { return }
            salons[index] = salon
        }
    }

    package func remove(_ id: SalonID) throws(CacheError) {
        try update { salons in salons.removeAll { $0.id == id } }
    }

    /// Changes the cached list; its age stays the same. The result has no validators, since the
    /// server has not sent this exact list.
    private func update(_ change: (inout [Salon]) -> Void) throws(CacheError) {
        var isReadable = true
        do throws(StoreError) {
            try store.update(name) { current in
                guard let current, SnapshotMetadata(current.metadata).url == url else { return nil }
                let limits = JSONLimits(maximumBytes: current.payload.count)
                guard var salons = try? SalonListCodec.decode(current.payload, limits: limits)
                else {
                    isReadable = false
                    return nil
                }
                change(&salons)
                let list = EncodedList<SalonListCodec>(salons)
                let stamp = EncodedListCodec<SalonListCodec>.validationStamp(of: list)
                return Snapshot(
                    payload: list.bytes,
                    savedAt: current.savedAt,
                    metadata: SnapshotMetadata(url: url, validationStamp: stamp).bytes
                )
            }
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
        if !isReadable {
            throw CacheError(.insertion, reason: "the cached salons violate the contract")
        }
    }
}
