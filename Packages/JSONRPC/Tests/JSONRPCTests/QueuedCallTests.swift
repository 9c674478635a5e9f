import JSON
import Testing

@testable import JSONRPC

@Suite("A queued call")
struct QueuedCallTests {
    @Test("only a cancelled call can leave the queue when its reply has been sent")
    func replySent() {
        var call = QueuedCall(
            bytes: 1,
            effect: .reads,
            work: { .replied(.null) },
            reply: { _ in }
        )
        // Each transition changes the call, so none of them can be inside an expectation.
        let (waiting, work) = (call.replySent(), call.begin())
        let (running, reply) = (call.replySent(), call.finish(.replied(.null)))
        let (finished, hasEnded) = (call.replySent(), call.endWork())
        #expect([waiting, running, finished] == [false, false, false])
        #expect(work != nil && reply != nil && hasEnded)
    }
}
