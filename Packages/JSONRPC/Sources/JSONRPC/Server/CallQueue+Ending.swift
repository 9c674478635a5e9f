import JSON
import Synchronization

extension CallQueue {
    /// Answers a call at once with what `answer` makes of its id; its task learns of it, and its
    /// own answer goes nowhere.
    func cancel(_ key: [UInt8], answer: ([UInt8]) -> JSONFragment?) {
        let found = state.withLock { state -> Entry? in
            guard let number = Self.numbers(&state)[key], let entry = state.entries[number],
                !entry.isAnswered
            else { return nil }
            state.entries[number]?.isAnswered = true
            return entry
        }
        guard let found, let id = found.order.id else { return }
        found.task?.cancel()
        found.order.reply(answer(id.bytes))
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

    /// Cancels every call, and gives those that have no answer yet what `answer` makes of their id.
    func cancelAll(answer: ([UInt8]) -> JSONFragment?) {
        let (entries, idlers) = state.withLock { state in
            let entries = state.entries.sorted { $0.key < $1.key }.map(\.value)
            state.entries = [:]
            state.numbers = nil
            return (entries, Self.takeIdlers(&state))
        }
        for entry in entries {
            entry.task?.cancel()
            if !entry.isAnswered { entry.order.reply(entry.order.id.flatMap { answer($0.bytes) }) }
        }
        for idler in idlers { idler.resume() }
    }
}
