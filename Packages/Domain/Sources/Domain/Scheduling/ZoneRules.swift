/// How far the wall clock of a zone is ahead of UTC, at any time.
public struct ZoneRules: Sendable, Hashable {
    /// The offsets that there may be, in seconds (RFC 9636, section 3.2).
    public static let offsets = -93_599...93_599

    /// A moment from which on another offset holds.
    public struct Transition: Sendable, Hashable {
        /// The first second of it.
        public var instant: Timestamp
        /// Seconds east of UTC from then on.
        public var offsetSeconds: Int

        /// Makes a transition.
        public init(_ instant: Timestamp, offsetSeconds: Int) {
            self.instant = instant
            self.offsetSeconds = offsetSeconds
        }
    }

    private let firstOffset: Int
    private let known: [Transition]
    private let tail: ZoneTail?

    /// Makes rules; nil unless the transitions ascend and every offset is one that there may be.
    ///
    /// `tail` holds from the last transition on; without it, the last offset stays.
    public init?(firstOffsetSeconds: Int, transitions: [Transition], tail: ZoneTail?) {
        let ascend = zip(transitions, transitions.dropFirst()).allSatisfy {
            $0.instant < $1.instant
        }
        guard ascend, Self.offsets.contains(firstOffsetSeconds),
            transitions.allSatisfy({ Self.offsets.contains($0.offsetSeconds) })
        else { return nil }
        firstOffset = firstOffsetSeconds
        known = transitions
        self.tail = tail
    }

    /// Seconds east of UTC at `instant`.
    public func offsetSeconds(at instant: Timestamp) -> Int {
        if let tail, known.last.map({ $0.instant <= instant }) ?? true {
            return tail.offsetSeconds(at: instant)
        }
        let next = firstKnown(after: instant)
        return next == 0 ? firstOffset : known[next - 1].offsetSeconds
    }

    /// The transitions from `start` until before `end` that move the clock, in order.
    public func transitions(from start: Timestamp, to end: Timestamp) -> [Transition] {
        guard start < end else { return [] }
        let before = start.advanced(bySeconds: -1)
        var found = known[firstKnown(after: before)...].prefix { $0.instant < end }
        if let tail {
            let last = known.last?.instant ?? Timestamp(secondsSince1970: .min)
            found += tail.changes(from: max(start, last), to: end)
                .filter { $0.instant > last && $0.instant >= start && $0.instant < end }
        }
        var moves: [Transition] = []
        var offset = offsetSeconds(at: before)
        for (index, transition) in zip(found.indices, found) {
            let isReplaced =
                found.indices.contains(index + 1)
                && found[index + 1].instant == transition.instant
            if isReplaced || transition.offsetSeconds == offset { continue }
            offset = transition.offsetSeconds
            moves.append(transition)
        }
        return moves
    }

    /// The index of the first known transition after `instant`.
    private func firstKnown(after instant: Timestamp) -> Int {
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if known[middle].instant <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
