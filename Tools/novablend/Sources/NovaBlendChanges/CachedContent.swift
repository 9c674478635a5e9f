package import NovaBlendAdapters
package import Persistence

/// The cached content of the resources of a ``ChangeNotifier``.
package struct CachedContent: Sendable {
    /// Brings the content of a list up to date, and returns how that differs.
    package typealias ListReader = @Sendable (_ content: inout ListContent) -> ListChange

    /// What a resource contained when it was last read.
    package struct State: Sendable {
        fileprivate var list = ListContent()
        /// The hash of a resource whose elements are not distinguished; nil if it is not cached.
        fileprivate var hash: Int?

        /// Creates the state of a resource that is not cached.
        package init() {}
    }

    private let store: any SnapshotStore
    private let lists: [String: ListReader]

    /// Creates the content of the resources in `store`. `lists` read those whose elements are
    /// distinguished, by their names.
    package init(store: any SnapshotStore, lists: [String: ListReader]) {
        (self.store, self.lists) = (store, lists)
    }

    /// Brings `state` up to date with the cached resource, and returns how that differs. Of other
    /// resources than `lists`, the stored bytes are compared.
    package func change(of resource: String, since state: inout State) -> ListChange {
        if let read = lists[resource] { return read(&state.list) }
        let old = state.hash
        state.hash = (try? store.load(resource))?.payload.hashValue
        return ListChange(isAll: state.hash != old)
    }
}
