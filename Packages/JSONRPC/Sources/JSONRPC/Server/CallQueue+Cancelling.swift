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
        case .send(let due): send([(number, due)])
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
            if let due = state.withLock({ $0.entries[number]?.abandon() }) {
                send([(number, due)])
            }
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
        let (tasks, due) = state.withLock { state in
            state.isClosed = true
            let numbers = state.entries.keys.sorted()
            let due = numbers.compactMap { number -> (UInt64, DueReply)? in
                guard case .send(let due) = state.entries[number]?.cancel(.end) else { return nil }
                return (number, due)
            }
            return (numbers.compactMap { state.entries[$0]?.task }, due)
        }
        for task in tasks { task.cancel() }
        send(due)
        removeAnswered()
    }

    /// Answers what did not end after ``cancelAll()``.
    func abandonAll() {
        let due = state.withLock { state in
            state.entries.keys.sorted().compactMap { number in
                state.entries[number]?.abandon().map { (number, $0) }
            }
        }
        send(due)
        removeAnswered()
    }

    private func send(_ due: [(number: UInt64, reply: DueReply)]) {
        for (_, reply) in due { reply.send() }
        state.withLock { state in
            for (number, _) in due { state.entries[number]?.isReplySent = true }
        }
    }

    /// Forgets the calls whose reply has been handed over. Not those whose reply is on its way: when
    /// no call is left, the output is closed.
    private func removeAnswered() {
        let idlers = state.withLock { state in
            state.entries = state.entries.filter { !$0.value.isReplySent }
            state.numbers = nil
            return Self.takeIdlers(&state)
        }
        for idler in idlers { idler.resume() }
    }
}
