import BookingStorage
import Synchronization

/// The last position of the feed up to which a standby is known to have all changes.
final class ReplicatedPosition: Sendable {
    private let last = Mutex<ChangeCursor?>(nil)

    /// Whether the standby has all changes up to a position.
    func includes(_ cursor: ChangeCursor) -> Bool {
        last.withLock { $0.map { $0.epoch == cursor.epoch && $0.number >= cursor.number } ?? false }
    }

    func record(_ cursor: ChangeCursor) {
        last.withLock { last in
            if let last, last.epoch == cursor.epoch, last.number > cursor.number { return }
            last = cursor
        }
    }
}
