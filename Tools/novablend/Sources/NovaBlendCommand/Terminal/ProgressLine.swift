import Synchronization

/// One line on a terminal that tells what is being waited for, from the first second on; it is
/// erased when there is something to say.
final class ProgressLine: Sendable {
    private struct State {
        var stage = "working"
        var seconds = 0
        var isShown = false
        var isOver = false
    }

    private let state = Mutex(State())
    private let width: Int
    private let ticking: Mutex<Task<Void, Never>?>

    /// Shows nothing where standard error is no terminal.
    init(_ terminal: Terminal) {
        width = terminal.width ?? 80
        ticking = Mutex(nil)
        guard terminal.showsErrors else { return }
        let task = Task.detached { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil, let self { tick() }
        }
        ticking.withLock { $0 = task }
    }

    /// Takes what is being done now.
    func report(_ stage: String) {
        state.withLock { state in
            state.stage = SafeText.line(stage)
            if state.isShown { show(&state) }
        }
    }

    /// Erases the line; nothing is shown from now on.
    func end() {
        ticking.withLock { $0?.cancel() }
        state.withLock { state in
            if state.isShown, !state.isOver { Terminal.say("\r\u{1B}[K", end: "") }
            state.isOver = true
        }
    }

    private func tick() {
        state.withLock { state in
            state.seconds += 1
            show(&state)
        }
    }

    private func show(_ state: inout State) {
        guard !state.isOver else { return }
        state.isShown = true
        let text = "\(state.stage), \(state.seconds) s"
        let fitting = DisplayWidth.prefix(of: text, columns: width - 1)
        Terminal.say("\r\u{1B}[K\(fitting)", end: "")
    }
}
