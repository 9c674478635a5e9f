/// The UTC offset of a time zone at any instant.
public struct ZoneRules: Sendable, Hashable {
    /// The valid UTC offsets, in seconds (RFC 9636, section 3.2).
    public static let offsets = -93_599...93_599

    /// An instant at which the UTC offset changes.
    public struct Transition: Sendable, Hashable {
        /// The first second with the new offset.
        public var instant: Timestamp
        /// The new offset, in seconds east of UTC.
        public var offsetSeconds: Int

        /// Creates a transition.
        public init(_ instant: Timestamp, offsetSeconds: Int) {
            self.instant = instant
            self.offsetSeconds = offsetSeconds
        }
    }

    private let firstOffset: Int
    private let listed: [Transition]
    private let tail: ZoneTail?

    /// Creates rules; nil unless the transitions are in ascending order and every offset is in
    /// ``offsets``.
    ///
    /// `tail` applies from the last transition on. Without a tail, the last offset never changes.
    public init?(firstOffsetSeconds: Int, transitions: [Transition], tail: ZoneTail?) {
        let isAscending = zip(transitions, transitions.dropFirst()).allSatisfy {
            $0.instant < $1.instant
        }
        guard isAscending, Self.offsets.contains(firstOffsetSeconds),
            transitions.allSatisfy({ Self.offsets.contains($0.offsetSeconds) })
        else { return nil }
        firstOffset = firstOffsetSeconds
        listed = transitions
        self.tail = tail
    }

    /// Seconds east of UTC at `instant`.
    public func offsetSeconds(at instant: Timestamp) -> Int {
        if let tail, listed.last.map({ $0.instant <= instant }) ?? true {
            return tail.offsetSeconds(at: instant)
        }
        let next = firstListed(after: instant)
        return next == 0 ? firstOffset : listed[next - 1].offsetSeconds
    }

    /// The transitions from `start` up to, but not including, `end` that change the offset, in
    /// order.
    public func transitions(from start: Timestamp, to end: Timestamp) -> [Transition] {
        guard start < end else { return [] }
        let justBefore = start.advanced(bySeconds: -1)
        var found = listed[firstListed(after: justBefore)...].prefix { $0.instant < end }
        if let tail {
            let last = listed.last?.instant ?? Timestamp(secondsSince1970: .min)
            found += tail.changes(from: max(start, last), to: end)
                .filter { $0.instant > last && $0.instant >= start && $0.instant < end }
        }
        var changes: [Transition] = []
        var offset = offsetSeconds(at: justBefore)
        for (index, transition) in zip(found.indices, found) {
            let isReplaced =
                found.indices.contains(index + 1)
                && found[index + 1].instant == transition.instant
            if isReplaced || transition.offsetSeconds == offset { continue }
            offset = transition.offsetSeconds
            changes.append(transition)
        }
        return changes
    }

    /// The index of the first listed transition after `instant`.
    private func firstListed(after instant: Timestamp) -> Int {
        var (low, high) = (0, listed.count)
        while low < high {
            let middle = (low + high) / 2
            if listed[middle].instant <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
