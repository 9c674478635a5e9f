import JSON
import Synchronization

/// The calls of a connection: some run, the others wait their turn, all can be cancelled.
///
/// A change runs after the changes before it, a reading call after the change that arrived before
/// it, so that a list sent after a booking sees the booking.
final class CallQueue: Sendable {
    typealias Reply = @Sendable (JSONFragment?) -> Void

    /// What is asked of the queue.
    struct Order: Sendable {
        /// What a cancel names; nil for what cannot be cancelled.
        var id: RequestID?
        /// What it occupies while it waits.
        var bytes: Int
        var isChange: Bool
        /// Whether it takes so little time that it is done before the next message is looked at.
        var isQuick = false
        /// Makes the answer; nil where none is wanted.
        var work: @Sendable () async -> JSONFragment?
        var reply: Reply
    }

    /// A place in the order of changes.
    struct Turn: Sendable {
        let earlier: Signal?
        let own: Signal
    }

    private struct Entry {
        let order: Order
        let earlier: Signal?
        let own: Signal?
        var task: Task<Void, Never>?
        var isAnswered = false
    }

    private struct State {
        var nextNumber: UInt64 = 0
        var entries: [UInt64: Entry] = [:]
        /// The calls by what a cancel names; nil before the first cancel, which most connections
        /// never see.
        var numbers: [[UInt8]: UInt64]?
        /// The first call that does not run yet; those before it do, or have ended.
        var nextToStart: UInt64 = 0
        var busy = 0
        var bytes = 0
        var lastChange: Signal?
        var idlers: [CheckedContinuation<Void, Never>] = []
    }

    /// Given when the connection ends: what waits for that has time for a last answer.
    let end = Signal()
    private let limits: RPCLimits
    private let room: OutputRoom
    private let state = Mutex(State())

    /// Makes a queue that starts calls only while there is room for their answers.
    init(limits: RPCLimits, room: OutputRoom) {
        self.limits = limits
        self.room = room
    }

    /// Takes a call; false when too much is under way.
    func submit(_ order: Order) -> Bool {
        let number: UInt64? = state.withLock { state in
            guard state.bytes + order.bytes <= limits.maximumQueuedBytes else { return nil }
            let number = state.nextNumber
            state.nextNumber += 1
            state.bytes += order.bytes
            let own = order.isChange ? Signal() : nil
            state.entries[number] = Entry(order: order, earlier: state.lastChange, own: own)
            if let own { state.lastChange = own }
            if let key = order.id?.key { state.numbers?[key] = number }
            return number
        }
        guard let number else { return false }
        if !order.isQuick || !startAtOnce(number) { pump() }
        return true
    }

    /// Runs a call on this thread up to where it has to wait, if it may start now: to hand a task to
    /// another thread takes longer than what is quick.
    private func startAtOnce(_ number: UInt64) -> Bool {
        guard room.isOpen else { return false }
        let mayStart = state.withLock { state in
            guard state.busy < limits.maximumRunning, state.nextToStart == number else {
                return false
            }
            state.nextToStart += 1
            state.busy += 1
            return true
        }
        guard mayStart else { return false }
        let task = Task.immediateDetached { [self] in await run(number) }
        let isCancelled = state.withLock { state in
            state.entries[number]?.task = task
            return state.entries[number]?.isAnswered ?? true
        }
        // Nobody had the task to cancel yet; to one that has ended this is nothing.
        if isCancelled { task.cancel() }
        return true
    }

    /// Starts what may start now.
    func pump() {
        guard room.isOpen else { return }
        state.withLock { state in
            while state.busy < limits.maximumRunning, state.nextToStart < state.nextNumber {
                let number = state.nextToStart
                state.nextToStart += 1
                state.busy += 1
                state.entries[number]?.task = Task.detached { [self] in await run(number) }
            }
        }
    }

    private func run(_ number: UInt64) async {
        guard let entry = state.withLock({ $0.entries[number] }) else { return }
        await entry.earlier?.wait()
        let isWanted = state.withLock { $0.entries[number]?.isAnswered == false }
        finish(number, isWanted ? await entry.order.work() : nil)
    }

    private func finish(_ number: UInt64, _ answer: JSONFragment?) {
        // Nil when a cancel has answered before, or has said that no answer is wanted.
        let reply = state.withLock { state -> Reply? in
            guard state.entries[number]?.isAnswered == false else { return nil }
            state.entries[number]?.isAnswered = true
            return state.entries[number]?.order.reply
        }
        // Before the call is over for those who wait for that: they may close the output then.
        reply?(answer)
        let (own, idlers) = state.withLock { state in
            let entry = state.entries.removeValue(forKey: number)
            state.busy -= 1
            state.bytes -= entry?.order.bytes ?? 0
            if let key = entry?.order.id?.key, state.numbers?[key] == number {
                state.numbers?[key] = nil
            }
            return (entry?.own, Self.takeIdlers(&state))
        }
        own?.give()
        for idler in idlers { idler.resume() }
        pump()
    }

    private static func takeIdlers(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        guard state.entries.isEmpty else { return [] }
        defer { state.idlers = [] }
        return state.idlers
    }
}

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

    /// A place behind the changes that were called before now.
    func takeTurn() -> Turn {
        state.withLock { state in
            let turn = Turn(earlier: state.lastChange, own: Signal())
            state.lastChange = turn.own
            return turn
        }
    }

    /// A running call waits for something outside: it does not count among those that run.
    func pause() {
        state.withLock { $0.busy -= 1 }
        pump()
    }

    /// Ends ``pause()``.
    func resume() {
        state.withLock { $0.busy += 1 }
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
