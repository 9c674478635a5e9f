import Networking
import Synchronization

/// Prints how much of a body has been transferred, in steps of ten percent.
final class ProgressPrinter: Sendable {
    private let name: String
    private let lastTenths = Mutex(0)

    init(_ name: String) { self.name = name }

    func show(_ progress: HTTPProgress) {
        guard let total = progress.totalBytes, total > 0 else { return }
        let tenths = progress.completedBytes * 10 / total
        let isNew = lastTenths.withLock { last in
            defer { last = tenths }
            return tenths != last
        }
        if isNew { print("\(name): \(tenths * 10) %") }
    }
}
