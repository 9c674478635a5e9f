import Foundation
import Synchronization
import SystemSupport
import Testing

@testable import JSONRPC

@Suite("A semaphore", .timeLimit(.minutes(10)))
struct SemaphoreTests {
    @Test("a wait that a Unix signal interrupts continues until the semaphore is signaled")
    func interrupted() async {
        let semaphore = Semaphore()
        let isSignaled = Atomic(false)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                Interruption.handleSignal()
                let thread = pthread_self()
                BlockedThread.whenCurrentThreadBlocks {
                    Interruption.interrupt(thread)
                    isSignaled.store(true, ordering: .sequentiallyConsistent)
                    semaphore.signal()
                }
                semaphore.wait()
                let wasSignaled = isSignaled.load(ordering: .sequentiallyConsistent)
                #expect(wasSignaled)
                continuation.resume()
            }
        }
    }
}
