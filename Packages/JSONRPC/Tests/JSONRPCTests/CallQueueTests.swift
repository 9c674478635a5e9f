import Glibc
import JSON
import Synchronization
import SystemSupport
import Testing

@testable import JSONRPC

@Suite("Call queue", .timeLimit(.minutes(10)))
struct CallQueueTests {
    private func queue(
        maximumRunning: Int = 64,
        maximumBytes: Int = 30,
        backpressure: OutputBackpressure = OutputBackpressure(limit: 1 << 20)
    ) -> CallQueue {
        var limits = RPCLimits()
        limits.maximumRunning = maximumRunning
        limits.maximumQueuedBytes = maximumBytes
        return CallQueue(limits: limits, backpressure: backpressure)
    }

    private func call(
        id: UInt8? = nil,
        bytes: Int = 1,
        effect: Method.CallEffect = .changes,
        isFast: Bool = false,
        reply: @escaping QueuedCall.ReplyHandler = { _ in },
        _ work: @escaping @Sendable () async -> Void
    ) -> QueuedCall {
        let root = id.flatMap { try? JSONDocument(parsing: [$0]).root }
        return QueuedCall(
            id: root.map { RequestID(bytes: id.map { [$0] } ?? [], $0) },
            bytes: bytes,
            effect: effect,
            isFast: isFast,
            work: {
                await work()
                return .replied(.null)
            },
            reply: reply
        )
    }

    @Test("accepts calls up to exactly the memory limit, and frees their memory when they end")
    func memory() async throws {
        let queue = queue()
        for _ in 0..<10 {
            let gate = Gate()
            for _ in 0..<3 { try queue.submit(call(bytes: 10) { await gate.wait() }) }
            #expect(throws: RPCError.overloaded) { try queue.submit(call(bytes: 1) {}) }
            #expect(queue.bytes == 30)
            gate.open()
            await queue.drain()
            #expect(queue.bytes == 0)
        }
    }

    @Test("frees the memory of cancelled calls")
    func cancelledMemory() async throws {
        let queue = queue()
        let gate = Gate()
        try queue.submit(call(bytes: 20) { await gate.wait() })
        try queue.submit(call(id: 0x37, bytes: 10) {})
        queue.cancel([0x37], .byCaller(getsReply: true))
        gate.open()
        await queue.drain()
        #expect(queue.bytes == 0)
    }

    @Test("is not idle while the reply to a cancelled call is being sent")
    func replyBeingSent() async throws {
        let queue = queue()
        let gate = Gate()
        let isIdle = Mutex<Bool?>(nil)
        try queue.submit(
            call {
                await withTaskCancellationHandler {
                    await gate.wait()
                } onCancel: {
                    gate.open()
                }
            }
        )
        let reply: QueuedCall.ReplyHandler = { _ in
            // The first call ends, and then the second one, whose work never starts.
            while queue.runningCount > 0 { sched_yield() }
            isIdle.withLock { $0 = queue.isIdle }
        }
        try queue.submit(call(id: 0x37, reply: reply) {})
        try await withCheckedThrowingContinuation { continuation in
            do {
                try SystemThread.start {
                    queue.cancelAll()
                    continuation.resume()
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(isIdle.withLock { $0 } == false)
        await queue.drain()
        #expect(queue.isIdle)
    }

    @Test("accepts a call of any size if no other call is queued")
    func singleCall() async throws {
        let queue = queue()
        let gate = Gate()
        try queue.submit(call(bytes: 1_000) { await gate.wait() })
        #expect(throws: RPCError.overloaded) { try queue.submit(call(bytes: 1) {}) }
        gate.open()
        await queue.drain()
    }

    @Test("estimates the measured memory of short messages, and ten times the size of long ones")
    func estimate() {
        #expect(QueuedCall.estimatedMemory(ofMessage: 54) >= 1_400)
        #expect(QueuedCall.estimatedMemory(ofMessage: 115) >= 2_990)
        let oneMiB = QueuedCall.estimatedMemory(ofMessage: 1 << 20)
        #expect(QueuedCall.estimatedMemory(ofMessage: 2 << 20) - oneMiB == 10 << 20)
    }

    @Test("is not idle until the last reply has been sent")
    func lastReply() async throws {
        let queue = queue()
        let wasIdle = Mutex<Bool?>(nil)
        // The connection ends while the reply is being sent.
        let reply: QueuedCall.ReplyHandler = { _ in
            queue.cancelAll()
            queue.abandonAll()
            let isIdle = queue.isIdle
            wasIdle.withLock { $0 = isIdle }
        }
        try queue.submit(call(reply: reply) {})
        await queue.drain()
        let seen = wasIdle.withLock(\.self)
        #expect(seen == false)
    }

    @Test("starts a call once there is capacity for its reply", arguments: [false, true])
    func outputCapacity(isFast: Bool) async throws {
        let backpressure = OutputBackpressure(limit: 1)
        let queue = queue(backpressure: backpressure)
        backpressure.add(1)
        let hasStarted = Atomic(false)
        try queue.submit(
            call(effect: .reads, isFast: isFast) { hasStarted.store(true, ordering: .relaxed) }
        )
        #expect(queue.runningCount == 0 && !queue.isIdle)
        #expect(backpressure.remove(1))
        queue.startCalls()
        await queue.drain()
        let isDone = hasStarted.load(ordering: .relaxed)
        #expect(isDone)
    }

    @Test("counts a suspended fast call as running, like any other call", arguments: [false, true])
    func runningFastCall(isFast: Bool) async throws {
        let queue = queue(maximumRunning: 1)
        let gate = Gate()
        let hasStarted = Atomic(false)
        try queue.submit(call(effect: .reads, isFast: isFast) { await gate.wait() })
        #expect(queue.runningCount == 1)
        try queue.submit(
            call(effect: .reads, isFast: isFast) { hasStarted.store(true, ordering: .relaxed) }
        )
        let isEarly = hasStarted.load(ordering: .relaxed)
        #expect(!isEarly && queue.runningCount == 1)
        gate.open()
        await queue.drain()
        let isDone = hasStarted.load(ordering: .relaxed)
        #expect(isDone && queue.runningCount == 0)
    }

    @Test("a fast call does not overtake a call that waits to start")
    func fastCallBehindWaitingCall() async throws {
        let backpressure = OutputBackpressure(limit: 1)
        let queue = queue(maximumRunning: 1, backpressure: backpressure)
        let finished = Mutex<[Int]>([])
        backpressure.add(1)
        try queue.submit(call(effect: .reads) { finished.withLock { $0.append(1) } })
        _ = backpressure.remove(1)
        try queue.submit(
            call(effect: .reads, isFast: true) { finished.withLock { $0.append(2) } }
        )
        await queue.drain()
        let all = finished.withLock(\.self)
        #expect(all == [1, 2])
    }

    @Test("starts waiting calls in order of arrival, and a fast call after them")
    func arrivalOrder() async throws {
        let backpressure = OutputBackpressure(limit: 1)
        let queue = queue(maximumRunning: 1, backpressure: backpressure)
        let gate = Gate()
        let started = Mutex<[Int]>([])
        try queue.submit(call(effect: .reads) { await gate.wait() })
        try queue.submit(
            call(effect: .reads) {
                started.withLock { $0.append(1) }
                backpressure.add(1)
            }
        )
        try queue.submit(call(effect: .reads) { started.withLock { $0.append(2) } })
        gate.open()
        // Only the last call is left. It waits for capacity for its reply.
        while queue.bytes > 1 { await Task.yield() }
        _ = backpressure.remove(1)
        try queue.submit(
            call(effect: .reads, isFast: true) { started.withLock { $0.append(3) } }
        )
        await queue.drain()
        let order = started.withLock(\.self)
        #expect(order == [1, 2, 3])
    }

    @Test("does not count a paused call as running, and starts another call instead")
    func pausedCall() async throws {
        let queue = queue(maximumRunning: 1)
        let gate = Gate()
        let started = Gate()
        try queue.submit(
            call(effect: .reads) {
                queue.pauseCall()
                await gate.wait()
                queue.resumeCall()
            }
        )
        try queue.submit(call(effect: .reads) { await started.wait() })
        await started.arrival()
        #expect(queue.runningCount == 1)
        started.open()
        gate.open()
        await queue.drain()
        #expect(queue.runningCount == 0)
    }

    @Test("a slot is a change: later calls wait until it is released")
    func slot() async throws {
        let queue = queue()
        #expect(!queue.hasChanges)
        let slot = queue.reserveSlot(nil)
        #expect(queue.hasChanges)
        let hasStarted = Atomic(false)
        try queue.submit(call(effect: .reads) { hasStarted.store(true, ordering: .relaxed) })
        #expect(queue.runningCount == 0)
        queue.releaseSlot(slot)
        await queue.drain()
        let isDone = hasStarted.load(ordering: .relaxed)
        #expect(isDone && !queue.hasChanges)
    }

    @Test("after a waiting slot is released, later calls still wait for the changes before it")
    func slotReleasedEarly() async throws {
        let queue = queue()
        let first = queue.reserveSlot(nil)
        let second = queue.reserveSlot(nil)
        let hasStarted = Atomic(false)
        try queue.submit(call { hasStarted.store(true, ordering: .relaxed) })
        queue.releaseSlot(second)
        let isEarly = hasStarted.load(ordering: .relaxed)
        #expect(!isEarly && queue.runningCount == 0)
        queue.releaseSlot(first)
        await queue.drain()
        let isDone = hasStarted.load(ordering: .relaxed)
        #expect(isDone)
    }

    @Test("if two calls have the same id, cancels the later one")
    func sameID() async throws {
        let queue = queue()
        let replies = Mutex<[Int]>([])
        let gate = Gate()
        for number in 1...2 {
            try queue.submit(
                call(
                    id: 0x37,
                    effect: .reads,
                    reply: { _ in replies.withLock { $0.append(number) } }
                ) { await gate.wait() }
            )
        }
        queue.cancel([0x37], .byCaller(getsReply: true))
        let early = replies.withLock(\.self)
        #expect(early == [2])
        gate.open()
        await queue.drain()
        let all = replies.withLock(\.self)
        #expect(all == [2, 1])
    }

    @Test("finds a call whose id was used by an earlier call")
    func reusedID() async throws {
        let queue = queue()
        let gates = [Gate(), Gate()]
        let replies = Mutex<[JSONFragment?]>([])
        // The first cancellation makes the queue index its calls by id.
        queue.cancel([0x38], .byCaller(getsReply: true))
        for gate in gates {
            try queue.submit(
                call(
                    id: 0x37,
                    effect: .reads,
                    reply: { reply in replies.withLock { $0.append(reply) } }
                ) { await gate.wait() }
            )
        }
        gates[0].open()
        while queue.bytes > 1 { await Task.yield() }
        queue.cancel([0x37], .byCaller(getsReply: true))
        gates[1].open()
        await queue.drain()
        let cancelled = Reply.error(.requestCancelled, id: [0x37])
        #expect(replies.withLock(\.self) == [.null, cancelled])
    }

    @Test("after all calls were cancelled, rejects new ones because the input ended")
    func closed() {
        let queue = queue()
        queue.cancelAll()
        #expect(throws: RPCError.inputEnded) { try queue.submit(call {}) }
    }
}
