package import Domain

/// An appointment that moves to the instant at which the salon's new clock shows the local time for
/// which it was booked.
package struct WallClockMove: Sendable {
    /// The maximum number of future appointments that a salon may have for such moves.
    package static let maximumAppointments = 10_000

    package let before: StoredAppointment
    /// The appointment after the move, with its new time and version. Its length, buffers, and
    /// staff member stay the same.
    package private(set) var after: StoredAppointment
    private let schedule: Schedule

    /// The moves of the `appointments` for which the clock of the schedule shows a different local
    /// time than they were booked for, in the order of their new times. All `appointments` must be
    /// active and in the future.
    ///
    /// - Throws: `wallClockNotKept` if there are too many appointments, or if a new time is not in
    ///   the future, or a local time is skipped or repeated on the new clock.
    package static func all(
        of appointments: [StoredAppointment],
        by schedule: Schedule,
        now: Timestamp
    ) throws(Problem) -> [WallClockMove] {
        guard appointments.count <= maximumAppointments else {
            throw .wallClockNotKept(
                reason: "the salon has more than \(maximumAppointments) appointments in the future",
                nil
            )
        }
        var moves: [WallClockMove] = []
        var rows = 0
        for appointment in appointments
        where schedule.clock.salonTime(of: appointment.booking.time) != appointment.booking.time {
            let move = try WallClockMove(of: appointment, by: schedule, now: now)
            rows += move.after.rowCount
            moves.append(move)
            guard rows <= Requirement.maximumRows else { throw tooMany }
        }
        return moves.sorted { $0.after.interval.start < $1.after.interval.start }
    }

    private static let tooMany = Problem.wallClockNotKept(
        reason: "its appointments take more than \(Requirement.maximumRows) units of five minutes, "
            + "which is too much for one change; replace the salon without moving them, and then "
            + "move each of the conflicts",
        nil
    )

    private init(
        of appointment: StoredAppointment,
        by schedule: Schedule,
        now: Timestamp
    ) throws(Problem) {
        let local = appointment.booking.time.localTime
        guard case .unique(let instant) = schedule.clock.reading(of: local) else {
            throw .wallClockNotKept(
                reason: "its local time is skipped or repeated on the new clock",
                appointment
            )
        }
        guard instant > now else {
            throw .wallClockNotKept(reason: "its new time is not in the future", appointment)
        }
        before = appointment
        after = appointment
        after.booking.time = schedule.clock.time(at: instant)
        after.version += 1
        self.schedule = schedule
    }

    /// Finds a staff member or seats for the appointment at its new time. The appointment keeps its
    /// staff member.
    ///
    /// - Parameters:
    ///   - busy: All times that are taken near the new time once all appointments have moved,
    ///     including its own.
    ///   - readWork: Returns the seconds of a range that each staff member works; see
    ///     ``Schedule/allocation(for:at:busy:preferring:readingWork:)``.
    /// - Throws: `wallClockNotKept` if it overlaps something else, or takes more seats than the salon
    ///   has.
    package mutating func place(
        among busy: [BusyInterval],
        readingWork readWork: (Range<Timestamp>) throws -> [String: Int64]
    ) throws {
        if case .seats(let count, let total) = resources, count > total {
            let reason = "it takes \(count) seats, more than the salon has"
            throw Problem.wallClockNotKept(reason: reason, before)
        }
        var others = busy
        if let own = others.firstIndex(of: after.interval) { others.remove(at: own) }
        let start = after.booking.time.instant
        let found = try schedule.allocation(
            for: requirement,
            at: start,
            busy: others,
            readingWork: readWork
        )
        guard let found else { throw takenError }
        if after.booking.options.staffID == nil { after.assign(found) }
    }

    /// How a staff member or seats are found for the moved appointment.
    package var plan: BookingPlan { BookingPlan(schedule: schedule, requirement: requirement) }

    /// The error if the new time of the appointment is taken.
    package var takenError: Problem {
        .wallClockNotKept(reason: "its new time is taken", before)
    }

    /// The number of all seats of the salon.
    package var seats: Int { schedule.salon.seats ?? 1 }

    private var requirement: Requirement {
        Requirement(
            minutes: after.minutes,
            bufferBefore: after.bufferBefore,
            bufferAfter: after.bufferAfter,
            resources: resources,
            precision: schedule.precision
        )
    }

    /// The staff member of the appointment, whatever the working hours are. If it has none, any
    /// staff member, or seats.
    private var resources: Requirement.Resources {
        let salon = schedule.salon
        if salon.staff.isEmpty {
            let count = max(after.booking.options.seats, 1)
            return .seats(count: count, total: max(salon.seats ?? 1, 1))
        }
        guard let id = after.booking.options.staffID else { return .staff(salon.staff) }
        return .staff([StaffMember(id: id, name: "")])
    }

    /// The staff member or the number of seats that the appointment takes.
    package var allocation: Allocation {
        after.booking.options.staffID.map { .staff($0) }
            ?? .seats(max(after.booking.options.seats, 1))
    }
}
