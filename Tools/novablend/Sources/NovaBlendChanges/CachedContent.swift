import Contract
import Domain
package import NovaBlendAdapters
package import Persistence

/// The cached content of the resources of a ``ChangeNotifier``.
package struct CachedContent: Sendable {
    /// What a resource contained when it was last read.
    package struct State: Sendable {
        fileprivate var list = ListContent()
        /// The hash of a resource whose elements are not distinguished; nil if it is not cached.
        fileprivate var hash: Int?

        /// The state of a resource that is not cached.
        package init() {}
    }

    private let store: any SnapshotStore
    private let salons: StoredResource<EncodedListCodec<SalonListCodec>>
    private let appointments: StoredResource<EncodedListCodec<AppointmentListCodec>>

    /// The URLs are those of the lists.
    package init(store: any SnapshotStore, salonsURL: String?, appointmentsURL: String?) {
        self.store = store
        salons = StoredResource(name: "salons", url: salonsURL, store: store)
        appointments = StoredResource(name: "appointments", url: appointmentsURL, store: store)
    }

    /// Brings `state` up to date with the cached resource, and returns how that differs. It does not
    /// matter how the content is stored.
    package func change(of resource: String, since state: inout State) -> ListChange {
        if resource == salons.name { return salons.change(since: &state.list) }
        if resource == appointments.name { return appointments.change(since: &state.list) }
        let old = state.hash
        state.hash = (try? store.load(resource))?.payload.hashValue
        return ListChange(isAll: state.hash != old)
    }
}
