import Testing

@testable import Networking

@Suite("State of the loop")
struct CurlLoopStateTests {
    private typealias State = CurlLoopState<String>

    /// The loop thread waits for sockets.
    private func polling() -> State {
        var state = State()
        state.wakeUp()
        #expect(wait(&state) == .socketsAndWakeup)
        return state
    }

    /// The loop thread waits for a wakeup only.
    private func parked() -> State {
        var state = State()
        state.wakeUp()
        #expect(wait(&state, mayPark: true) == .wakeup)
        return state
    }

    private func pollingInline(_ id: UInt64) -> State {
        var state = parked()
        #expect(state.assignPoller(sender: id) == .pollInline)
        return state
    }

    /// What the loop thread waits for when the queue is empty.
    private func wait(_ state: inout State, mayPark: Bool = false) -> State.WaitTarget? {
        if case .wait(let target) = state.prepareToWait(mayPark: mayPark) { target } else { nil }
    }

    private func exits(_ state: inout State) -> Bool {
        if case .exit = state.prepareToWait(mayPark: true) { true } else { false }
    }

    @Test("The sender drives the multi handle while the loop thread waits, or does not exist yet")
    func senderDrives() {
        for state in [State(), polling(), parked(), pollingInline(1)] {
            var state = state
            #expect(!state.hasWork)
            #expect(state.submit("a") == .drive)
            #expect(state.submit("b") == .drive)
            #expect(state.hasWork)
            #expect(state.takeWork()?.jobs == ["a", "b"])
            #expect(!state.hasWork && state.takeWork() == nil)
        }
    }

    @Test("Jobs are left to a loop thread that is active, which takes them before it waits")
    func active() {
        for state in [polling(), parked(), pollingInline(1)] {
            var state = state
            state.wakeUp()
            #expect(state.submit("a") == .leaveToLoopThread)
            state.cancel(7)
            state.resume(8)
            guard case .perform(let work) = state.prepareToWait(mayPark: true) else {
                Issue.record("the loop thread waits with work in the queue")
                continue
            }
            #expect(work.jobs == ["a"] && work.cancelledIDs == [7] && !work.isLast)
            #expect(work.resumedIDs == [8])
            #expect(state.submit("b") == .leaveToLoopThread)
            #expect(state.takeWork()?.jobs == ["b"])
            #expect(wait(&state) == .socketsAndWakeup)
            #expect(state.submit("c") == .drive)
        }
    }

    @Test("The continuation of a streamed transfer is work, until the client is closed")
    func resumed() {
        var state = polling()
        state.resume(8)
        #expect(state.hasWork && state.takeWork()?.resumedIDs == [8])
        state.close()
        #expect(state.takeWork()?.isLast == true)
        state.resume(8)
        #expect(!state.hasWork)
    }

    @Test("A sender polls only while the loop thread is parked")
    func inlinePolling() {
        var state = parked()
        #expect(state.assignPoller(sender: 1) == .pollInline)
        // The sender of request 1 polls for both.
        #expect(state.assignPoller(sender: 2) == .none)
        #expect(state.inlinePollCount == 1)
        for state in [State(), polling(), pollingInline(1)] {
            var state = state
            let before = state.inlinePollCount
            #expect(state.assignPoller(sender: 2) == .none)
            #expect(state.inlinePollCount == before)
        }
        state = parked()
        state.wakeUp()
        #expect(state.assignPoller(sender: 2) == .none)
    }

    @Test("A parked loop thread is woken, once, for transfers without a sender that can poll")
    func wakesLoopThread() {
        var state = parked()
        #expect(state.assignPoller(sender: nil) == .wakeLoopThread)
        #expect(state.assignPoller(sender: nil) == .none)
        #expect(state.assignPoller(sender: 1) == .none)
        #expect(state.submit("a") == .drive)
    }

    @Test("The loop is parked again when the sender stops polling")
    func inlinePollingStops() {
        var state = pollingInline(1)
        #expect(state.stopInlinePolling(1, hasTransfers: false) == false)
        #expect(state.assignPoller(sender: nil) == .wakeLoopThread)
        #expect(state.stopInlinePolling(1, hasTransfers: false) == false)
        #expect(state.assignPoller(sender: 2) == .none)
    }

    @Test("The loop thread is woken when the sender stops polling before all responses arrived")
    func inlinePollingStopsEarly() {
        var state = pollingInline(1)
        #expect(state.stopInlinePolling(1, hasTransfers: true) == true)
        #expect(state.stopInlinePolling(1, hasTransfers: true) == false)
        #expect(state.assignPoller(sender: 2) == .none)
        // The sender of request 2 polls for all transfers.
        state = pollingInline(2)
        #expect(state.stopInlinePolling(1, hasTransfers: true) == false)
    }

    @Test("A sender that stops polling after the loop thread woke up is ignored")
    func lateStop() {
        var state = pollingInline(1)
        state.wakeUp()
        #expect(state.stopInlinePolling(1, hasTransfers: true) == false)
        #expect(state.submit("a") == .leaveToLoopThread)
        #expect(state.takeWork() != nil)
        // The loop thread parks, and the sender of request 2 polls.
        #expect(wait(&state, mayPark: true) == .wakeup)
        #expect(state.assignPoller(sender: 2) == .pollInline)
        #expect(state.stopInlinePolling(1, hasTransfers: false) == false)
        #expect(state.assignPoller(sender: 3) == .none)
        #expect(state.stopInlinePolling(2, hasTransfers: false) == false)
        #expect(state.assignPoller(sender: 3) == .pollInline)
    }

    @Test("A cancellation is queued in each state until the client is closed")
    func cancellation() {
        for state in [State(), polling(), parked(), pollingInline(1)] {
            var state = state
            state.cancel(7)
            #expect(state.hasWork)
            #expect(state.takeWork()?.cancelledIDs == [7])
            state.close()
            state.cancel(8)
            let last = state.takeWork()
            #expect(last?.cancelledIDs == [8] && last?.isLast == true)
            state.cancel(9)
            #expect(!state.hasWork)
        }
    }

    @Test("After the last work, the loop thread exits")
    func closing() {
        for state in [State(), polling(), parked(), pollingInline(1)] {
            var state = state
            _ = state.submit("a")
            state.close()
            #expect(state.hasWork && state.submit("b") == .reject)
            let last = state.takeWork()
            #expect(last?.jobs == ["a"] && last?.isLast == true)
            state.close()
            #expect(!state.hasWork && state.submit("c") == .reject)
            #expect(state.assignPoller(sender: nil) == .none)
            #expect(state.stopInlinePolling(1, hasTransfers: true) == false)
            state.wakeUp()
            #expect(exits(&state))
        }
    }

    @Test("A loop thread that is active receives the last work, and then exits")
    func closingWhileAwake() {
        var state = polling()
        state.wakeUp()
        state.close()
        state.wakeUp()
        guard case .perform(let last) = state.prepareToWait(mayPark: true) else {
            Issue.record("the loop thread waits with work in the queue")
            return
        }
        #expect(last.isLast && exits(&state))
    }
}
