import Foundation
import SystemTestSupport
import Testing

@testable import JSONRPC

@Suite("Output backpressure", .timeLimit(.minutes(10)))
struct OutputBackpressureTests {
    @Test("calls may start below the limit, and input is read below the high watermark")
    func boundaries() {
        let backpressure = OutputBackpressure(limit: 10)
        backpressure.add(9)
        #expect(backpressure.hasCapacity)
        backpressure.add(1)
        #expect(!backpressure.hasCapacity && !backpressure.isOverHighWatermark)
        backpressure.add(9)
        #expect(!backpressure.isOverHighWatermark)
        backpressure.add(1)
        #expect(backpressure.isOverHighWatermark)
        #expect(!backpressure.remove(10))
        #expect(!backpressure.hasCapacity)
        #expect(backpressure.remove(1))
        #expect(backpressure.hasCapacity)
        // There was capacity before.
        #expect(!backpressure.remove(1))
    }

    @Test("the largest limit is never exceeded")
    func noLimit() {
        let backpressure = OutputBackpressure(limit: .max)
        backpressure.add(.max - 1)
        #expect(backpressure.hasCapacity && !backpressure.isOverHighWatermark)
    }

    @Test("a thread waits above the high watermark until enough bytes are written")
    func waiting() async {
        let backpressure = OutputBackpressure(limit: 10)
        backpressure.add(21)
        await onThread {
            BlockedThread.whenCurrentThreadBlocks {
                // 20 bytes still reach the high watermark.
                _ = backpressure.remove(1)
                _ = backpressure.remove(1)
            }
            backpressure.waitBelowHighWatermark()
            #expect(!backpressure.isOverHighWatermark)
        }
    }

    @Test("a thread does not wait below the high watermark")
    func notWaiting() async {
        let backpressure = OutputBackpressure(limit: 10)
        backpressure.add(19)
        await onThread { backpressure.waitBelowHighWatermark() }
        #expect(!backpressure.isOverHighWatermark)
    }

    @Test("a closed output ends the current wait and later ones")
    func closed() async {
        let backpressure = OutputBackpressure(limit: 10)
        backpressure.add(20)
        await onThread {
            BlockedThread.whenCurrentThreadBlocks { backpressure.close() }
            backpressure.waitBelowHighWatermark()
            backpressure.waitBelowHighWatermark()
        }
        #expect(backpressure.isOverHighWatermark)
    }
}
