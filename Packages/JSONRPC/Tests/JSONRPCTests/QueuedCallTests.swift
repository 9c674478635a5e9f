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
        #expect(!call.isFast)
        // Each transition changes the call, so none of them can be inside an expectation.
        let (waiting, work) = (call.replySent(), call.begin())
        let (running, reply) = (call.replySent(), call.finish(.replied(.null)))
        let (finished, hasEnded) = (call.replySent(), call.endWork())
        #expect([waiting, running, finished] == [false, false, false])
        #expect(work != nil && reply != nil && hasEnded)
    }

    @Test("a cancelled call whose work ends first leaves the queue when its reply has been sent")
    func endBeforeReply() {
        var call = QueuedCall(
            bytes: 1,
            effect: .reads,
            work: { .replied(.null) },
            reply: { _ in }
        )
        let work = call.begin()
        let action = call.cancel(.byCaller(getsReply: true))
        let (hasEnded, mayLeave) = (call.endWork(), call.replySent())
        guard case .send = action else {
            Issue.record("\(action)")
            return
        }
        #expect(work != nil && !hasEnded && mayLeave)
    }
}
