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
