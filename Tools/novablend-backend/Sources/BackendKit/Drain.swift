import Synchronization

/// Whether the backend is about to stop. Proxies must then send it no new requests.
final class Drain: Sendable {
    private let state = Atomic(false)

    var hasBegun: Bool { state.load(ordering: .relaxed) }

    func begin() { state.store(true, ordering: .relaxed) }
}
