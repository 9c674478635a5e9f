/// Something that happens, and waiting for it.
struct Signal: Sendable {
    private let events: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (events, continuation) = AsyncStream.makeStream() }

    func fire() { continuation.yield() }

    /// Waits until it happens once; the test's limit of time ends a wait in vain.
    func wait() async { for await _ in events { return } }
}
