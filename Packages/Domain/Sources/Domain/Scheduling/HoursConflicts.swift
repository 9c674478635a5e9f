/// Finds the appointments that the hours of a salon or of its staff do not allow, such as those that
/// were booked before the hours changed.
///
/// Only hours and exceptions count, and whether the staff member still works at the salon. The lead
/// time, the furthest day, and the grid apply when an appointment is booked, and changing them later
/// does not affect it.
public struct HoursConflicts: Sendable {
    private let salon: Salon
    /// The clock of the salon's time zone; nil if it states none.
    private let clock: SalonClock?

    /// Creates a finder for `salon`. Throws if `zones` does not know the salon's time zone.
    public init(of salon: Salon, zones: any ZoneSource) throws(UnknownZoneError) {
        self.salon = salon
        let clock = try SalonClock(of: salon, zones: zones, offsetMinutes: 0)
        self.clock = clock.zone == nil ? nil : clock
    }

    /// Whether `appointment` is an active appointment at the salon, starts after `now`, and is not
    /// entirely within the hours of the salon and of its staff member.
    ///
    /// `minutes` is the length that was booked, and nil if it is unknown. If it is unknown, or the
    /// salon states no slot length, only the start counts: such a salon accepts appointments that
    /// may extend past closing.
    ///
    /// If the salon has no time zone, its hours apply at the UTC offset of the appointment, as they
    /// did when it was booked.
    public func contains(_ appointment: Appointment, minutes: Int?, now: Timestamp) -> Bool {
        let booking = appointment.booking
        let start = booking.time.instant
        guard booking.salonID == salon.id, appointment.status == .booked, start > now else {
            return false
        }
        let clock = clock ?? .offset(minutes: booking.time.offsetMinutes)
        let isLengthStated = salon.slotMinutes != nil || booking.options.serviceID != nil
        let known = isLengthStated ? minutes ?? 0 : 0
        let schedule = Schedule(of: salon, on: clock)
        return !schedule.isOpen(at: start, minutes: known)
            || booking.options.staffID.map { !schedule.works($0, at: start, minutes: known) }
                ?? false
    }
}
