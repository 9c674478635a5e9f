import Synchronization

/// A line on the terminal that shows what a command is doing. It appears after one second and is
/// erased at the end.
public final class ProgressLine: Sendable {
    private struct State {
        var stage = "working"
        var seconds = 0
        var isVisible = false
        var hasEnded = false
        var timer: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let terminal: Terminal

    /// Creates a line and starts its timer. Shows nothing if standard error is not a terminal.
    public init(_ terminal: Terminal) {
        self.terminal = terminal
        guard terminal.errorWidth != nil else { return }
        let task = Task.detached { [weak self] in
            while (try? await Task.sleep(for: .seconds(1))) != nil, let self { tick() }
        }
        state.withLock { $0.timer = task }
    }

    /// Sets what the command is doing now.
    public func report(_ stage: String) {
        state.withLock { state in
            state.stage = SafeText.line(stage)
            if state.isVisible { show(&state) }
        }
    }

    /// Erases the line. It does not appear again.
    public func end() {
        state.withLock { state in
            state.timer?.cancel()
            if state.isVisible, !state.hasEnded {
                terminal.printError("\r\u{1B}[K", terminator: "")
            }
            state.hasEnded = true
        }
    }

    private func tick() {
        state.withLock { state in
            state.seconds += 1
            show(&state)
        }
    }

    private func show(_ state: inout State) {
        guard !state.hasEnded, let width = terminal.errorWidth else { return }
        state.isVisible = true
        let text = "\(state.stage), \(state.seconds) s"
        let visible = DisplayWidth.prefix(of: text, columns: width - 1)
        terminal.printError("\r\u{1B}[K\(visible)", terminator: "")
    }
}
