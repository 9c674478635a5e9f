import JSON
import Synchronization

extension CallQueue {
    /// Cancels the call that `key` names.
    ///
    /// One that has changed nothing is answered at once. One that may have is answered by its
    /// handler, which knows how far it got, if that ends within
    /// ``RPCLimits/cancellationMilliseconds``.
    func cancel(_ key: [UInt8], _ cancellation: Cancellation) {
        let (number, task, action) = state.withLock { state in
            let number = Self.numbers(&state)[key]
            let action = number.flatMap { state.entries[$0]?.cancel(cancellation) }
            return (number, number.flatMap { state.entries[$0]?.task }, action)
        }
        guard let number, let action else { return }
        task?.cancel()
        switch action {
        case .nothing: break
        case .send(let due): due.send()
        case .waitForHandler: abandonLater(number)
        }
    }

    /// Of two calls with one id it is the later one.
    private static func numbers(_ state: inout State) -> [[UInt8]: UInt64] {
        if let numbers = state.numbers { return numbers }
        let named = state.entries.compactMap { number, entry in
            entry.order.id.map { ($0.key, number) }
        }
        let numbers = Dictionary(named, uniquingKeysWith: max)
        state.numbers = numbers
        return numbers
    }

    private func abandonLater(_ number: UInt64) {
        Task.detached { [self, limits] in
            try? await Task.sleep(for: .milliseconds(limits.cancellationMilliseconds))
            let due = state.withLock { $0.entries[number]?.abandon() }
            due?.send()
        }
    }
}

extension CallQueue {
    /// Returns when no call is under way.
    func drain() async {
        end.give()
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if !state.entries.isEmpty { state.idlers.append(continuation) }
                return state.entries.isEmpty
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Cancels every call and takes no more. All are answered now, but those that may have changed
    /// something: these are waited for until ``abandonAll()``.
    func cancelAll() {
        let (tasks, actions) = state.withLock { state in
            state.isClosed = true
            let numbers = state.entries.keys.sorted()
            let actions = numbers.compactMap { state.entries[$0]?.cancel(.end) }
            return (numbers.compactMap { state.entries[$0]?.task }, actions)
        }
        for task in tasks { task.cancel() }
        for case .send(let due) in actions { due.send() }
        // After the replies: who waits for idleness may close the output then.
        remove { $0.isAnswered }
    }

    /// Answers what did not end after ``cancelAll()``.
    func abandonAll() {
        let due = state.withLock { state in
            state.entries.keys.sorted().compactMap { state.entries[$0]?.abandon() }
        }
        for reply in due { reply.send() }
        remove { $0.isAnswered }
    }

    private func remove(where isRemoved: (Entry) -> Bool) {
        let idlers = state.withLock { state in
            state.entries = state.entries.filter { !isRemoved($0.value) }
            state.numbers = nil
            return Self.takeIdlers(&state)
        }
        for idler in idlers { idler.resume() }
    }
}
