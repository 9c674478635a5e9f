import JSON

/// The state machine of a ``Peer``: the calls that wait for responses.
struct PendingCalls {
    typealias Response = Result<JSONValue, RPCError>
    /// Resumes the task that waits for the responses of a message.
    typealias Waiter = @Sendable ([Response]) -> Void

    /// The calls of one message. Call ``finish()`` outside the lock when all have a response.
    struct Group {
        fileprivate let waiter: Waiter
        /// Ends the wait for the responses; nil if there is no timeout.
        fileprivate let timer: Task<Void, Never>?
        fileprivate var responses: [Response?]

        func finish() {
            timer?.cancel()
            waiter(responses.compactMap(\.self))
        }
    }

    private var nextID = 1
    /// The groups, by the id of their first call. The ids of a group are consecutive.
    private var groups: [Int: Group] = [:]
    /// The ids of the calls without a response, and the first id of their group.
    private var firstIDs: [Int: Int] = [:]
    private(set) var hasEnded = false

    mutating func makeIDs(_ count: Int) -> Range<Int> {
        defer { nextID += count }
        return nextID..<nextID + count
    }

    mutating func add(
        _ ids: Range<Int>,
        _ waiter: @escaping Waiter,
        timer: Task<Void, Never>?
    ) {
        let responses = [Response?](repeating: nil, count: ids.count)
        groups[ids.lowerBound] = Group(waiter: waiter, timer: timer, responses: responses)
        for id in ids { firstIDs[id] = ids.lowerBound }
    }

    /// Records a response. Returns the group of its call if this was the last response of the
    /// group. If no call with that id waits, does nothing.
    mutating func receive(_ response: Response, for id: Int) -> Group? {
        guard let first = firstIDs.removeValue(forKey: id) else { return nil }
        groups[first]?.responses[id - first] = response
        guard groups[first]?.responses.contains(where: { $0 == nil }) == false else { return nil }
        return groups.removeValue(forKey: first)
    }

    /// Fails the calls of `ids` that wait. Returns their ids, and their group.
    mutating func fail(_ ids: Range<Int>, _ error: RPCError) -> (ids: [Int], Group?) {
        let failed = ids.filter { firstIDs[$0] != nil }
        var complete: Group?
        for id in failed { complete = receive(.failure(error), for: id) }
        return (failed, complete)
    }

    /// Fails all waiting calls, and returns their groups.
    mutating func end() -> [Group] {
        hasEnded = true
        return firstIDs.keys.sorted().compactMap { receive(.failure(.connectionEnded), for: $0) }
    }
}
