import JSON
import Synchronization

/// The calls of a connection: some run, the others wait their turn, all can be cancelled.
///
/// A call runs after the changes to its data that arrived before it, so that a list sent after a
/// booking sees the booking. Calls that touch other data do not wait.
final class CallQueue: Sendable {
    typealias ReplyHandler = @Sendable (JSONFragment?) -> Void

    struct State {
        var nextNumber: UInt64 = 0
        var entries: [UInt64: Entry] = [:]
        /// The calls by what a cancel names; nil before the first cancel, which most connections
        /// never see.
        var numbers: [[UInt8]: UInt64]?
        var order = ChangeOrder()
        /// The calls that wait for no change, and do not run yet.
        var ready = ReadyQueue()
        /// The running calls that wait for their turn, as changes.
        var turns: [UInt64: Signal] = [:]
        var busy = 0
        var bytes = 0
        var idlers: [CheckedContinuation<Void, Never>] = []
        /// The connection ends, and no call is taken any more.
        var isClosed = false
    }

    /// Given when the connection ends: what waits for that has time for a last answer.
    let end = Signal()
    let limits: RPCLimits
    private let room: OutputRoom
    let state = Mutex(State())
    /// How many changes have not ended.
    let changes = Atomic(0)

    /// Makes a queue that starts calls only while there is room for their answers.
    init(limits: RPCLimits, room: OutputRoom) {
        self.limits = limits
        self.room = room
    }

    /// Whether a call may have to wait for a change.
    var hasChanges: Bool { changes.load(ordering: .relaxed) > 0 }

    /// Takes a call; throws -32000 when too much is under way, and -32001 after ``cancelAll()``.
    func submit(_ order: Order) throws(RPCError) {
        let number = try state.withLock { state throws(RPCError) in
            if state.isClosed { throw .ended }
            // One that is alone is taken whatever its size: the limit on messages bounds it.
            let isRoom = state.bytes + order.bytes <= limits.maximumQueuedBytes
            guard isRoom || state.entries.isEmpty else { throw .overloaded }
            let number = state.nextNumber
            state.nextNumber += 1
            state.bytes += order.bytes
            state.entries[number] = Entry(order: order)
            if let key = order.id?.key { state.numbers?[key] = number }
            let isChange = order.effect == .changes
            if isChange { changes.add(1, ordering: .relaxed) }
            if state.order.add(number, order.access, isChange: isChange) {
                state.ready.append(number)
            }
            return number
        }
        if !order.isQuick || !startAtOnce(number) { pump() }
    }

    /// Runs a call on this thread up to where it has to wait, if it may start now: to hand a task to
    /// another thread takes longer than what is quick.
    private func startAtOnce(_ number: UInt64) -> Bool {
        guard room.isOpen else { return false }
        let mayStart = state.withLock { state in
            guard state.busy < limits.maximumRunning, state.ready.first == number else {
                return false
            }
            _ = state.ready.popFirst()
            state.busy += 1
            return true
        }
        guard mayStart else { return false }
        let task = Task.immediateDetached { [self] in await run(number) }
        let isCancelled = state.withLock { state in
            state.entries[number]?.task = task
            return state.entries[number]?.isCancelled ?? true
        }
        // Nobody had the task to cancel yet; to one that has ended this is nothing.
        if isCancelled { task.cancel() }
        return true
    }

    /// Starts what may start now.
    func pump() {
        guard room.isOpen else { return }
        state.withLock { state in
            while state.busy < limits.maximumRunning, let number = state.ready.popFirst() {
                if state.entries[number] == nil { continue }
                state.busy += 1
                state.entries[number]?.task = Task.detached { [self] in await run(number) }
            }
        }
    }

    private func run(_ number: UInt64) async {
        let work = state.withLock { state in
            state.entries[number]?.begin() == true ? state.entries[number]?.order.work : nil
        }
        finish(number, await work?() ?? .undone)
    }

    private func finish(_ number: UInt64, _ outcome: Outcome) {
        let due = state.withLock { $0.entries[number]?.finish(outcome) }
        // Before the call is over for those who wait for that: they may close the output then.
        due?.send()
        let (signals, idlers) = state.withLock { state in
            let entry = state.entries.removeValue(forKey: number)
            state.busy -= 1
            state.bytes -= entry?.order.bytes ?? 0
            if let key = entry?.order.id?.key, state.numbers?[key] == number {
                state.numbers?[key] = nil
            }
            if entry?.order.effect == .changes { changes.subtract(1, ordering: .relaxed) }
            let signals = Self.release(state.order.remove(number), &state)
            return (signals, Self.takeIdlers(&state))
        }
        for signal in signals { signal.give() }
        for idler in idlers { idler.resume() }
        pump()
    }

    static func takeIdlers(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        guard state.entries.isEmpty else { return [] }
        defer { state.idlers = [] }
        return state.idlers
    }
}
