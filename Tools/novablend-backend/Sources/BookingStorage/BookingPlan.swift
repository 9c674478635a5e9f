public import Domain

/// How the store finds a staff member or seats for an appointment.
public struct BookingPlan: Sendable {
    /// The rules of the salon.
    public var schedule: Schedule
    /// What the appointment needs.
    public var requirement: Requirement
    /// Why the time cannot be booked unless a hold reserves it; nil if it can.
    public var errorWithoutHold: Problem?
    /// How many appointments the customer may have. They are counted only for a new booking or hold.
    public var limits: [AppointmentLimit] = []

    /// Creates a plan. The precision of the schedule must be `grains`, as that of the store is.
    public init(schedule: Schedule, requirement: Requirement) {
        self.schedule = schedule
        self.requirement = requirement
    }

    /// Creates the plan of an appointment with `options` at `salon`, whose wall clock is `clock`.
    /// Throws if the salon does not offer it.
    public init(
        for options: BookingOptions,
        at salon: Salon,
        on clock: SalonClock
    ) throws(Failure) {
        schedule = Schedule(of: salon, on: clock, precision: .grains)
        requirement = try schedule.requirement(for: options)
    }

    /// The taken times that can affect an appointment at `start`. `read` returns the taken times in
    /// a range; it is called again with a longer range if necessary.
    package func busyIntervals<Failure: Error>(
        at start: Timestamp,
        _ read: (Range<Timestamp>) throws(Failure) -> [BusyInterval]
    ) throws(Failure) -> [BusyInterval] {
        var range = schedule.allocationRange(for: requirement, at: start)
        var busy = try read(range)
        let interval = requirement.interval(from: start)
        while let longer = schedule.longerRange(than: range, for: interval, busy: busy) {
            range = longer
            busy = try read(range)
        }
        return busy
    }

    /// Throws ``errorWithoutHold`` if the plan needs a hold, and `hold` is nil.
    package func check(_ hold: StoredHold?) throws(Problem) {
        if hold == nil, let errorWithoutHold { throw errorWithoutHold }
    }
}
