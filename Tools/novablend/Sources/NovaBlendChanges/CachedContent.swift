import Contract
import Domain
import NovaBlendAdapters
package import Persistence

/// The cached content of the topics of a ``ChangeNotifier``.
package struct CachedContent: Sendable {
    let store: any SnapshotStore
    /// The URL of the list of salons.
    let salonsURL: String?

    package init(store: any SnapshotStore, salonsURL: String?) {
        self.store = store
        self.salonsURL = salonsURL
    }

    /// A hash of the content, valid in this process only; nil if nothing is cached.
    package func fingerprint(of topic: String) -> Int? {
        guard topic.contains("/") else { return (try? store.load(topic))?.payload.hashValue }
        guard let id = Self.salonID(in: topic) else { return nil }
        let salons = StoredResource<EncodedListCodec<SalonListCodec>>(
            name: "salons",
            url: salonsURL,
            store: store
        )
        let list = (try? salons.retrieve())?.value
        return (try? list?.model(id))?.hashValue
    }

    private static func salonID(in topic: String) -> SalonID? {
        let prefix = "salons/"
        return topic.hasPrefix(prefix) ? SalonID(String(topic.dropFirst(prefix.count))) : nil
    }
}
