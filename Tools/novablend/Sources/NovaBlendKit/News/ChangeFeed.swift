import Domain
import Synchronization

/// Carries the news that a resource is another now, from whoever changed it to whoever asked.
final class ChangeFeed: Sendable {
    private let observers = Mutex<[@Sendable (String) -> Void]>([])

    func observe(_ observer: @escaping @Sendable (_ resource: String) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    func announce(_ resource: String) {
        for observer in observers.withLock(\.self) { observer(resource) }
    }
}

/// Where to announce that a load found news.
struct News: Sendable {
    let resource: String
    let feed: ChangeFeed

    /// Looks, on its own time, whether the remote has something else than was shown from the cache.
    func look<Value: Equatable & Sendable>(
        since loaded: Loaded<Value>,
        with loader: ResourceLoader<Value>
    ) {
        guard loaded.provenance.source == .cache else { return }
        // What is loaded in a dry run is not kept here either: the task takes that along.
        Task {
            await loader.revalidate()
            if let cached = loader.kept(), cached != loaded.value { feed.announce(resource) }
        }
    }
}
