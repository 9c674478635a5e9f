import Contract
import Domain
import Persistence
import Synchronization

/// A cached list with all changes that were appended to it, so that none is applied twice. A list
/// without changes does not stay in memory, because it is read quickly.
final class AppliedChanges<Codec: PagedCodec>: Sendable {
    typealias Content = (position: SnapshotPosition, list: CachedValue<Codec.Model>)

    private let current = Mutex<Content?>(nil)

    var content: Content? { current.withLock(\.self) }

    func set(_ content: Content?) { current.withLock { $0 = content } }
}
