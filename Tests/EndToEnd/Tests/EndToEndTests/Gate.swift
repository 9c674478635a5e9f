import Dispatch

/// Lets a server withhold a response until a test opens the gate.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() { (arrivals, arrival) = AsyncStream.makeStream(of: Void.self) }

    /// Blocks the calling thread until the gate opens; it stays open.
    func wait() {
        arrival.yield()
        semaphore.wait()
        semaphore.signal()
    }

    /// Waits until a thread has arrived at the gate.
    func waitForArrival() async { for await _ in arrivals { break } }

    func open() { semaphore.signal() }
}
