import Dispatch

/// Withholds an answer until a test opens it.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() { (arrivals, arrival) = AsyncStream.makeStream(of: Void.self) }

    /// Blocks the calling thread until the gate is open.
    func pass() {
        arrival.yield()
        semaphore.wait()
        semaphore.signal()
    }

    /// Returns when a request has arrived at the gate.
    func wasReached() async { for await _ in arrivals { break } }

    func open() { semaphore.signal() }
}
