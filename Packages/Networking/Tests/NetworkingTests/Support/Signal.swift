/// An event, and a way to wait for it.
struct Signal: Sendable {
    private let events: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (events, continuation) = AsyncStream.makeStream() }

    func fire() { continuation.yield() }

    /// Waits until it fires. The time limit of the test ends a wait that would take too long.
    func wait() async { for await _ in events { return } }
}
