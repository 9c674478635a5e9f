/// Finds the appointments that a salon would not accept in this form now, such as those that were
/// booked before its hours changed, or before it had fewer people or seats.
///
/// The lead time and the furthest day apply when an appointment is booked, and changing them later
/// does not affect it. A new slot length does not change the length of booked appointments, but
/// their starts must be on the new grid.
public struct SalonConflicts: Sendable {
    private let salon: Salon
    /// The clock of the salon's time zone; nil if it states none.
    private var clock: SalonClock?

    /// Creates a finder for `salon`. Throws if `zones` does not know the salon's time zone.
    public init(of salon: Salon, zones: any ZoneSource) throws(Failure) {
        self.salon = salon
        let clock = try SalonClock(of: salon, zones: zones, offsetMinutes: 0)
        self.clock = clock.zone == nil ? nil : clock
    }

    /// An appointment, and what it was booked with.
    public struct Booked: Sendable {
        var appointment: Appointment
        var minutes: Int?
        var busy: BusyInterval

        /// Creates a booked appointment.
        ///
        /// - Parameters:
        ///   - appointment: The appointment. The offset of its time must be that of the salon's clock
        ///     when it was booked.
        ///   - minutes: The length that was booked; nil if it is unknown.
        ///   - busy: The time that it takes, including buffers, and of whom.
        public init(_ appointment: Appointment, minutes: Int?, busy: BusyInterval) {
            (self.appointment, self.minutes, self.busy) = (appointment, minutes, busy)
        }
    }

    /// The conflicts of all appointments that may take time of the salon after `now`, in their order.
    ///
    /// If they take more at some instant than the salon has, the fewest that must move have the reason
    /// ``SalonConflict/Reason/overbooked``. Those that must move because of the hours, or because their
    /// staff member does not work, do not count for that, and those that have begun cannot move.
    ///
    /// - Parameters:
    ///   - booked: The appointments.
    ///   - now: The current time.
    ///   - last: If this is not nil, only appointments that start later have conflicts; the others take
    ///     place, unless they must move because of the hours or their staff member.
    public func conflicts(
        among booked: [Booked],
        now: Timestamp,
        startingAfter last: Timestamp? = nil
    ) -> [SalonConflict] {
        let last = max(last ?? now, now)
        let all = limited(to: booked).allConflicts(among: booked, now: now, startingAfter: last)
        return all.filter { $0.appointment.booking.time.instant > last }
    }

    /// The range of appointments for which it is worthwhile to find all changes of the UTC offset once.
    private static let limitedSeconds: Int64 = 800 * 86_400

    /// This finder with a clock that is faster for these appointments.
    private func limited(to booked: [Booked]) -> SalonConflicts {
        let starts = booked.map(\.appointment.booking.time.instant)
        guard let clock, let first = starts.min(), let last = starts.max(),
            last.seconds(since: first) < Self.limitedSeconds
        else { return self }
        var limited = self
        // An appointment lasts at most a day.
        limited.clock = clock.limited(from: first, to: last.advanced(bySeconds: 86_400))
        return limited
    }

    private func allConflicts(
        among booked: [Booked],
        now: Timestamp,
        startingAfter last: Timestamp
    ) -> [SalonConflict] {
        let single = booked.map { conflict(of: $0.appointment, minutes: $0.minutes, now: now) }
        var indexes: [Int] = []
        var items: [Overbooking.Item] = []
        for (index, booked) in booked.enumerated() {
            let mustMove = single[index].map { !Self.moving.isDisjoint(with: $0.reasons) } ?? false
            guard !mustMove, var item = item(of: booked, now: now) else { continue }
            item.canMove = booked.appointment.booking.time.instant > last
            indexes.append(index)
            items.append(item)
        }
        let seats = salon.staff.isEmpty ? max(salon.seats ?? 1, 1) : nil
        var overbooking = Overbooking(of: items, seats: seats)
        let overbooked = Set(overbooking.smallestSet().map { indexes[$0] })
        return booked.indices.compactMap { index in
            guard overbooked.contains(index) else { return single[index] }
            let appointment = booked[index].appointment
            let clock = clock(of: appointment)
            return SalonConflict(
                appointment: appointment,
                reasons: (single[index]?.reasons ?? []) + [.overbooked],
                localTime: clock.time(at: appointment.booking.time.instant)
            )
        }
    }

    /// The reasons because of which an appointment cannot take place at its time.
    private static let moving: Set<SalonConflict.Reason> = [.outsideHours, .notWorking]

    /// What an appointment takes, as if it could move; nil if it takes nothing after `now`.
    private func item(of booked: Booked, now: Timestamp) -> Overbooking.Item? {
        let (appointment, busy) = (booked.appointment, booked.busy)
        let booking = appointment.booking
        guard booking.salonID == salon.id, appointment.isActive, busy.end > max(now, busy.start)
        else { return nil }
        let schedule = Schedule(of: salon, on: clock(of: appointment))
        let minutes = statedMinutes(booked.minutes, booking)
        let isUnknown = !salon.staff.isEmpty && busy.staffID == nil
        let workers = isUnknown ? salon.staff.map(\.id) : []
        return Overbooking.Item(
            time: busy.start..<busy.end,
            count: busy.seats,
            staffID: salon.staff.isEmpty ? nil : busy.staffID,
            workers: workers.filter {
                schedule.works($0, at: booking.time.instant, minutes: minutes)
            },
            canMove: true
        )
    }

    private func clock(of appointment: Appointment) -> SalonClock {
        clock ?? .offset(minutes: appointment.booking.time.offsetMinutes)
    }

    /// The length for which an appointment must fit; 0 if only its start must.
    private func statedMinutes(_ minutes: Int?, _ booking: BookingRequest) -> Int {
        let isStated = salon.slotMinutes != nil || booking.options.serviceID != nil
        return isStated ? minutes ?? 0 : 0
    }

    /// What no longer fits `appointment`, apart from the others; nil if everything does, or unless it is an active
    /// appointment at the salon that starts after `now`.
    ///
    /// `minutes` is the length that was booked, and nil if it is unknown. If it is unknown, or the
    /// salon states no slot length, only the start counts: such a salon accepts appointments that
    /// may extend past closing.
    ///
    /// The offset of the appointment's time must be that of the salon's clock when it was booked. If
    /// the salon has no time zone, its rules apply at this offset, as they did then.
    func conflict(
        of appointment: Appointment,
        minutes: Int?,
        now: Timestamp
    ) -> SalonConflict? {
        let booking = appointment.booking
        let start = booking.time.instant
        guard booking.salonID == salon.id, appointment.isActive, start > now else {
            return nil
        }
        let clock = clock(of: appointment)
        let localTime = clock.time(at: start)
        let known = statedMinutes(minutes, booking)
        let schedule = Schedule(of: salon, on: clock)
        let options = booking.options
        let isFound: [(SalonConflict.Reason, Bool)] = [
            (.localTimeChanged, localTime != booking.time),
            (.outsideHours, !schedule.openingTimes.contain(start, minutes: known)),
            (
                .notWorking,
                options.staffID.map { !schedule.works($0, at: start, minutes: known) } ?? false
            ),
            (.offGrid, !schedule.isOnGrid(start)),
            (.notOffered, !salon.offers(options)),
        ]
        let reasons = isFound.filter(\.1).map(\.0)
        if reasons.isEmpty { return nil }
        return SalonConflict(appointment: appointment, reasons: reasons, localTime: localTime)
    }
}

extension Salon {
    /// Whether the salon has the service, and its staff member, if it still has this one, offers it.
    fileprivate func offers(_ options: BookingOptions) -> Bool {
        guard let id = options.serviceID else { return true }
        return service(id) != nil && member(options.staffID)?.offers(id) ?? true
    }
}

/// An appointment that its salon would not accept in this form now.
public struct SalonConflict: Sendable, Hashable {
    /// What no longer fits.
    public enum Reason: String, Sendable, CaseIterable {
        /// The salon's clock shows a different local time than when it was booked, because the
        /// salon has moved to a different time zone or the rules of its zone have changed.
        case localTimeChanged
        /// The appointment is not entirely within the hours of the salon.
        case outsideHours
        /// The staff member of the appointment does not work then, or has left.
        case notWorking
        /// The appointment does not start on the salon's grid.
        case offGrid
        /// The salon has removed the service, or the staff member no longer offers it.
        case notOffered
        /// More is booked at that time than the salon has people or seats.
        case overbooked

        /// The reason in words.
        public var text: String {
            switch self {
            case .localTimeChanged: "different local time"
            case .outsideHours: "outside the hours"
            case .notWorking: "staff member does not work"
            case .offGrid: "not on the grid"
            case .notOffered: "service not offered"
            case .overbooked: "overbooked"
            }
        }
    }

    /// The appointment. Its time is the local time at which it was booked.
    public var appointment: Appointment
    /// What no longer fits, in the order of ``Reason``.
    public var reasons: [Reason]
    /// The instant of the appointment on the salon's clock now.
    public var localTime: AppointmentTime

    /// Creates a conflict.
    public init(appointment: Appointment, reasons: [Reason], localTime: AppointmentTime) {
        self.appointment = appointment
        self.reasons = reasons
        self.localTime = localTime
    }

    /// ``localTime`` if it differs from the local time at which the appointment was booked.
    public var newLocalTime: AppointmentTime? {
        reasons.contains(.localTimeChanged) ? localTime : nil
    }
}
