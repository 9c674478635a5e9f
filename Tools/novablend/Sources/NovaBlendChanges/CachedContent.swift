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

        /// Creates the state of a resource that is not cached.
        package init() {}
    }

    private let store: any SnapshotStore
    private let memory: ListMemory
    private let salonsURL: String?
    private let appointmentsURL: String?
    private let subjects: KnownSubjects?

    /// Creates the content of the lists with these URLs.
    package init(
        store: any SnapshotStore,
        memory: ListMemory = ListMemory(),
        salonsURL: String?,
        appointmentsURL: String?,
        subjects: KnownSubjects? = nil
    ) {
        (self.store, self.memory) = (store, memory)
        (self.salonsURL, self.appointmentsURL) = (salonsURL, appointmentsURL)
        self.subjects = subjects
    }

    /// Brings `state` up to date with the cached resource, and returns how that differs. Of salons and
    /// appointments, the elements are compared, however the list is stored; of other resources, the
    /// stored bytes.
    package func change(of resource: String, since state: inout State) -> ListChange {
        switch resource {
        case "salons":
            return list(resource, salonsURL, of: SalonListCodec.self).change(since: &state.list)
        case "appointments":
            return list(resource, appointmentsURL, of: AppointmentListCodec.self, subjects)
                .change(since: &state.list)
        default:
            let old = state.hash
            state.hash = (try? store.load(resource))?.payload.hashValue
            return ListChange(isAll: state.hash != old)
        }
    }

    private func list<Codec: ListCodec>(
        _ name: String,
        _ url: String?,
        of codec: Codec.Type,
        _ subjects: KnownSubjects? = nil
    ) -> StoredResource<EncodedListCodec<Codec>> {
        StoredResource(name: name, url: url, store: store, memory: memory, subjects: subjects)
    }
}
