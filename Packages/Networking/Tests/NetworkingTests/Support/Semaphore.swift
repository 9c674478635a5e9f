import Dispatch

/// Lets a server's thread wait for the test.
struct Semaphore: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }

    func wait() { semaphore.wait() }
}
