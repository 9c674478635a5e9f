import Foundation
import Synchronization
import Testing

@testable import JSONRPC

@Suite("Backpressure of the output", .timeLimit(.minutes(1)))
struct OutputBackpressureTests {
    @Test("calls may start below the limit, and input is read below the high watermark")
    func boundaries() {
        let backpressure = OutputBackpressure(limit: 10)
        backpressure.add(9)
        #expect(backpressure.allowsReplies)
        backpressure.add(1)
        #expect(!backpressure.allowsReplies && !backpressure.isOverHighWatermark)
        backpressure.add(9)
        #expect(!backpressure.isOverHighWatermark)
        backpressure.add(1)
        #expect(backpressure.isOverHighWatermark)
        #expect(!backpressure.remove(10))
        #expect(!backpressure.allowsReplies)
        #expect(backpressure.remove(1))
        #expect(backpressure.allowsReplies)
        // Calls could start before.
        #expect(!backpressure.remove(1))
    }

    @Test("a thread waits above the high watermark until enough bytes are written")
    func waiting() async {
        let backpressure = OutputBackpressure(limit: 10)
        backpressure.add(21)
        let hasReturned = Atomic(false)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                backpressure.waitBelowHighWatermark()
                hasReturned.store(true, ordering: .sequentiallyConsistent)
                continuation.resume()
            }
            // 20 bytes are still too many, whenever the thread looks.
            _ = backpressure.remove(1)
            let isEarly = hasReturned.load(ordering: .sequentiallyConsistent)
            #expect(!isEarly)
            _ = backpressure.remove(1)
        }
        #expect(!backpressure.isOverHighWatermark)
    }

    @Test("a closed output ends the wait")
    func closed() async {
        let backpressure = OutputBackpressure(limit: 10)
        backpressure.add(20)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                backpressure.waitBelowHighWatermark()
                continuation.resume()
            }
            backpressure.close()
        }
        #expect(backpressure.isOverHighWatermark)
    }
}
