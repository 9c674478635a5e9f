public import Domain

/// Finds the stored appointments that no longer fit their salon, in parts of the order in which they
/// start.
public struct StoredConflicts: Sendable {
    /// A conflict, and the appointment that has it.
    public typealias Found = (stored: StoredAppointment, conflict: SalonConflict)

    /// A position in the order of conflicts.
    public struct Position: Sendable, Hashable {
        /// The part begins with the appointments that start at this time.
        var start: Timestamp
        /// The start and the id of the last conflict of the part before the position; nil if the
        /// position is at the beginning of the part.
        var last: Last?

        struct Last: Sendable, Hashable {
            var start: Timestamp
            var id: String
        }
    }

    /// The number of appointments that are read for a part, if nothing else is chosen. There are more
    /// only if that many start at the same time.
    private static let partSize = 500
    /// The number of appointments after which ``count(_:)`` ends.
    public static let maximumCounted = 10_000

    private let store: any BookingStore
    private let salon: SalonID
    private let now: Timestamp
    private let partSize: Int

    /// Creates a finder of the conflicts of a salon.
    public init(store: any BookingStore, salon: SalonID, now: Timestamp) {
        self.init(store: store, salon: salon, now: now, partSize: Self.partSize)
    }

    package init(store: any BookingStore, salon: SalonID, now: Timestamp, partSize: Int) {
        (self.store, self.salon, self.now, self.partSize) = (store, salon, now, partSize)
    }

    /// Some conflicts, in the order of the starts and ids of their appointments.
    public struct Part: Sendable {
        /// The conflicts. There may be none.
        public var found: [Found]
        /// The position at the beginning of the next part; nil if this is the last one.
        public var next: Position?
        /// The position at the beginning of this part.
        var first: Position
        /// The number of appointments that were compared.
        var examined: Int

        /// The position after a conflict of this part.
        public func position(after conflict: Found) -> Position {
            let (start, id) = conflict.stored.order
            return Position(start: first.start, last: Position.Last(start: start, id: id))
        }
    }

    /// The conflicts of one part that are after `position`, or those of the first part.
    ///
    /// Whether the salon has enough people and seats depends on all appointments of a time. So a part
    /// ends where no appointment continues, if possible. Otherwise, those that continue count in the next
    /// part as appointments that cannot move. In either case, what is not listed can take place.
    public func find(
        _ finder: SalonConflicts,
        after position: Position?
    ) async throws(Problem) -> Part {
        let start = max(position?.start ?? now, now.advanced(bySeconds: 1))
        let (appointments, next) = try await read(from: start)
        let booked = appointments.map { stored in
            SalonConflicts.Booked(
                stored.appointment,
                minutes: stored.isLengthAssumed ? nil : stored.minutes,
                busy: stored.interval
            )
        }
        let byID = Dictionary(appointments.map { ($0.id, $0) }) { first, _ in first }
        // What starts earlier was listed with an earlier part. Like what has begun, it takes its time.
        let conflicts = finder.conflicts(
            among: booked,
            now: now,
            startingAfter: start.advanced(bySeconds: -1)
        )
        var found: [Found] = conflicts.compactMap { conflict in
            conflict.appointment.id.flatMap { byID[$0] }.map { ($0, conflict) }
        }
        if let last = position?.last {
            found.removeAll { $0.stored.order <= (last.start, last.id) }
        }
        return Part(
            found: found,
            next: next.map { Position(start: $0) },
            first: Position(start: start),
            examined: appointments.count
        )
    }

    /// The number of conflicts among the first ``maximumCounted`` appointments, or a few more.
    public func count(_ finder: SalonConflicts) async throws(Problem) -> Int {
        var (count, examined) = (0, 0)
        var position: Position?
        repeat {
            let part = try await find(finder, after: position)
            count += part.found.count
            examined += part.examined
            position = part.next
        } while position != nil && examined < Self.maximumCounted
        return count
    }

    /// The appointments of a part that begins at `start`, and those that take a part of their time, in
    /// order; and when the next part begins, if there may be more.
    private func read(
        from start: Timestamp
    ) async throws(Problem) -> (appointments: [StoredAppointment], next: Timestamp?) {
        var (limit, bound) = (partSize, start)
        while true {
            let all = try await store.activeAppointments(
                of: salon,
                endingAfter: bound.advanced(bySeconds: -1),
                limit: limit
            ).sorted { $0.order < $1.order }
            let inPart = all.lazy.filter { $0.booking.time.instant >= start }
            if let earliest = inPart.map(\.interval.start).min(), earliest < bound {
                // The buffer before an appointment takes time before the part.
                bound = earliest
            } else if all.count < limit {
                return (all, nil)
            } else if let end = Self.end(of: all, startingFrom: start) {
                return (Array(all[..<end]), all[end].booking.time.instant)
            } else {
                limit *= 2
            }
        }
    }

    /// The index of the first appointment after a part: the last one before which all have ended. If
    /// appointments overlap throughout, the part ends before the last start, because there may be more
    /// appointments with that start. Nil if the part would be empty.
    private static func end(
        of appointments: [StoredAppointment],
        startingFrom start: Timestamp
    ) -> Int? {
        let starts = appointments.map(\.booking.time.instant)
        guard let last = starts.last, last > start else { return nil }
        // The earliest time that one of the appointments from an index on takes.
        var earliest = appointments.map(\.interval.start)
        for index in earliest.indices.dropLast().reversed() {
            earliest[index] = min(earliest[index], earliest[index + 1])
        }
        var (latestEnd, pause) = (start, Int?.none)
        for index in appointments.indices.dropLast() {
            latestEnd = max(latestEnd, appointments[index].interval.end)
            let isNext = starts[index + 1] > max(start, starts[index])
            if isNext, earliest[index + 1] >= latestEnd { pause = index + 1 }
        }
        return pause ?? starts.firstIndex(of: last).flatMap { $0 > 0 ? $0 : nil }
    }
}

extension StoredAppointment {
    /// The order of appointments by their start.
    fileprivate var order: (Timestamp, String) { (booking.time.instant, id) }
}

extension StoredConflicts.Position: LosslessStringConvertible {
    /// The position as a text.
    public var description: String {
        let start = "\(start.secondsSince1970)"
        return last.map { "\(start) \($0.start.secondsSince1970) \($0.id)" } ?? start
    }

    /// Creates a position from its text; nil if it is not one.
    public init?(_ description: String) {
        let parts = description.split(separator: " ", maxSplits: 2)
        guard let start = parts.first.flatMap({ Int64($0) }) else { return nil }
        self.init(start: Timestamp(secondsSince1970: start))
        if parts.count == 1 { return }
        guard parts.count == 3, let last = Int64(parts[1]) else { return nil }
        self.last = Last(start: Timestamp(secondsSince1970: last), id: String(parts[2]))
    }
}
