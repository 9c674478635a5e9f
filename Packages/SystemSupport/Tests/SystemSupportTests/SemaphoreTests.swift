import SystemSupport
import Testing

@Suite("A semaphore", .timeLimit(.minutes(1)))
struct SemaphoreTests {
    @Test("lets one later wait return for each signal")
    func signals() {
        let semaphore = Semaphore()
        for _ in 0..<2 { semaphore.signal() }
        for _ in 0..<2 { semaphore.wait() }
    }
}
