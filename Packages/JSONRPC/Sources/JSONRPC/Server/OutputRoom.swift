import Synchronization

/// How many bytes of replies wait to be read, and how many may.
final class OutputRoom: Sendable {
    private let limit: Int
    private let waiting = Atomic(0)

    init(limit: Int) { self.limit = limit }

    /// Whether another answer should be made.
    var isOpen: Bool { waiting.load(ordering: .acquiring) < limit }

    /// Whether even the input should be left unread: the peer writes much and reads nothing.
    var isFlooded: Bool { waiting.load(ordering: .acquiring) >= 2 * limit }

    func add(_ bytes: Int) {
        waiting.wrappingAdd(bytes, ordering: .acquiringAndReleasing)
    }

    /// Takes `bytes` away; true when that is what opened the room again.
    func remove(_ bytes: Int) -> Bool {
        let change = waiting.wrappingSubtract(bytes, ordering: .acquiringAndReleasing)
        return change.oldValue >= limit && change.newValue < limit
    }
}
