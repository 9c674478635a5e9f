/// A buffer that prevents a booking: no one is booked at the time itself, but more time must pass between
/// the appointment before it, or after it, and the requested one.
public struct BufferConflict: Sendable, Hashable {
    /// The id of the staff member of both appointments; nil at a salon without staff.
    public var staffID: Optional<String>
    /// When the other appointment starts.
    public var start: AppointmentTime
    /// When it ends; nil if its length is not known.
    public var end: Optional<AppointmentTime>
    /// The minutes that the other appointment needs on the side of the requested one.
    public var bookedMinutes: Int
    /// The minutes that the requested appointment needs on the side of the other one.
    public var requestedMinutes: Int

    /// Creates a conflict.
    ///
    /// - Parameters:
    ///   - staffID: The staff member of both appointments; nil at a salon without staff.
    ///   - start: When the other appointment starts.
    ///   - end: When it ends; nil if its length is not known.
    ///   - bookedMinutes: The buffer of the other appointment.
    ///   - requestedMinutes: The buffer of the requested one.
    public init(
        staffID: String?,
        start: AppointmentTime,
        end: AppointmentTime?,
        bookedMinutes: Int,
        requestedMinutes: Int
    ) {
        (self.staffID, self.start, self.end) = (staffID, start, end)
        (self.bookedMinutes, self.requestedMinutes) = (bookedMinutes, requestedMinutes)
    }

    /// What is in the way of an appointment at `time`, on the same clock: for example, `the appointment
    /// from 10:00 to 11:00 needs 20 minutes after it`.
    public func reason(at time: AppointmentTime) -> String {
        func text(_ other: AppointmentTime) -> String {
            let isSameDay = other.localTime.date == time.localTime.date
            return (isSameDay ? "" : "\(other.localTime.date) ") + "\(other.timeOfDay)"
        }
        let isEarlier = start.instant < time.instant
        let interval = end.map { "from \(text(start)) to \(text($0))" } ?? "at \(text(start))"
        let booked =
            "needs \(bookedMinutes.counting("minute")) \(isEarlier ? "after" : "before") it"
        let requested =
            "\(requestedMinutes.counting("minute")) \(isEarlier ? "before" : "after") it"
        let other = "the appointment \(interval)"
        switch (bookedMinutes > 0, requestedMinutes > 0) {
        case (true, true): return "\(other) \(booked), and the requested service \(requested)"
        case (true, false): return "\(other) \(booked)"
        default: return "the requested service needs \(requested), and \(other) is too close"
        }
    }
}

extension Schedule {
    /// The buffers that prevent an appointment at `start`, of each staff member who could take it. Empty for
    /// those who are booked at the time itself, and for seats if too many of them are.
    ///
    /// - Parameters:
    ///   - requirement: What the appointment needs.
    ///   - start: When it starts.
    ///   - appointments: The active appointments of the salon near that time.
    public func bufferConflicts(
        for requirement: Requirement,
        at start: Timestamp,
        among appointments: [Appointment]
    ) -> [BufferConflict] {
        let needed = requirement.interval(from: start)
        let time = start..<max(requirement.end(from: start), start.advanced(bySeconds: 1))
        let near = appointments.compactMap { appointment -> NearAppointment? in
            let near = NearAppointment(appointment, at: salon)
            let busy = near.busy.rounded(to: precision)
            return busy.start < needed.upperBound && busy.end > needed.lowerBound ? near : nil
        }
        switch requirement.resources {
        case .staff(let members):
            return members.flatMap { member -> [BufferConflict] in
                let own = near.filter { $0.busy.staffID == member.id }
                if own.contains(where: { $0.time.overlaps(time) }) { return [] }
                return own.compactMap { $0.conflict(with: requirement, at: start, on: clock) }
            }
        case .seats(let count, let total):
            let direct = near.filter { $0.time.overlaps(time) }
            var load = LoadCurve(
                of: direct.map {
                    BusyInterval(
                        start: $0.time.lowerBound,
                        end: $0.time.upperBound,
                        seats: $0.busy.seats
                    )
                }
            )
            if load.maximum(in: time) + count > total { return [] }
            return near.filter { !$0.time.overlaps(time) }.compactMap {
                $0.conflict(with: requirement, at: start, on: clock)
            }
        }
    }
}

/// An appointment near a requested time.
private struct NearAppointment {
    let appointment: Appointment
    /// The time that it takes, with its buffers.
    let busy: BusyInterval
    /// Its own time.
    let time: Range<Timestamp>
    private let service: Service?
    private let salon: Salon

    init(_ appointment: Appointment, at salon: Salon) {
        (self.appointment, self.salon) = (appointment, salon)
        service = appointment.service(at: salon)
        busy = BusyInterval(of: appointment, at: salon)
        let start = appointment.booking.time.instant
        let after = Int64(min(max(service?.bufferAfter ?? 0, 0), 1_440)) * 60
        time = start..<max(start, busy.end.advanced(bySeconds: -after))
    }

    /// The buffers between this appointment and a requested one that does not overlap it; nil if neither
    /// has any on that side.
    func conflict(
        with requirement: Requirement,
        at start: Timestamp,
        on clock: SalonClock
    ) -> BufferConflict? {
        let isEarlier = time.lowerBound < start
        let booked = isEarlier ? service?.bufferAfter : service?.bufferBefore
        let requested = isEarlier ? requirement.bufferBefore : requirement.bufferAfter
        guard booked ?? 0 > 0 || requested > 0 else { return nil }
        return BufferConflict(
            staffID: salon.staff.isEmpty ? nil : busy.staffID,
            start: clock.time(at: time.lowerBound),
            end: appointment.end(at: salon).map { clock.time(at: $0.instant) },
            bookedMinutes: booked ?? 0,
            requestedMinutes: requested
        )
    }
}
