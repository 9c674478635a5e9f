import Testing

@testable import JSONRPC

@Suite("Session state")
struct SessionStateTests {
    @Test("only the first process named by initialize is watched, and never the init process")
    func watchedProcess() {
        var state = SessionState.serving(watchedProcess: nil)
        let watched = [-1, 0, 1, 2, 3].map { state.initialize(processID: $0) }
        #expect(watched == [false, false, false, true, false])
    }

    @Test("after shutdown the exit code is 0, and no process is watched")
    func shutdown() {
        var state = SessionState.serving(watchedProcess: nil)
        #expect(!state.isShutDown && state.exitCode == 1)
        state.shutdown()
        #expect(state.isShutDown && state.exitCode == 0)
        let isWatched = state.initialize(processID: 2)
        #expect(!isWatched)
    }
}
