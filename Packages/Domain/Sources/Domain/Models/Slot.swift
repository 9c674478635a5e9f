/// A time interval at a salon, and whether it can be booked.
public struct Slot: Sendable, Hashable {
    /// The start of the slot.
    public var start: AppointmentTime
    /// The end of the slot, exclusive.
    public var end: AppointmentTime
    /// Whether the slot can be booked.
    public var isAvailable: Bool

    /// The number of staff members or seats that are free; nil if it is not known.
    public var free: Optional<Int>
    /// Which staff members are free; nil if it is not known or was not asked for.
    public var staff: Optional<[StaffAvailability]>

    /// Creates a slot.
    public init(
        start: AppointmentTime,
        end: AppointmentTime,
        isAvailable: Bool,
        free: Int? = nil,
        staff: [StaffAvailability]? = nil
    ) {
        self.start = start
        self.end = end
        self.isAvailable = isAvailable
        self.free = free
        self.staff = staff
    }

    /// The length in minutes, rounded down.
    public var minutes: Int { Int(end.instant.seconds(since: start.instant) / 60) }

    /// This slot with the times that `clock` shows.
    func shown(on clock: SalonClock) -> Slot {
        var slot = self
        slot.start = clock.time(at: start.instant)
        slot.end = clock.time(at: end.instant)
        return slot
    }
}

/// The slots of a salon, as a server lists them.
public struct SlotList: Sendable, Hashable {
    /// The slots, in order.
    public var slots: [Slot]
    /// The version of the salon whose rules determine the slots; nil if the server does not state
    /// it.
    public var salonVersion: Int?
    /// The buffers that prevent a booking at the start of the range, if the request asked for an
    /// explanation, and nothing else takes the time.
    public var buffers: Optional<[BufferConflict]> = nil
    /// The id of the staff member whom the server would assign at the start of the range; nil if the
    /// request did not ask for it, or it is not known.
    public var assignedStaffID: Optional<String> = nil

    /// Creates a list.
    public init(_ slots: [Slot], salonVersion: Int? = nil) {
        self.slots = slots
        self.salonVersion = salonVersion
    }

    /// Appends the list of the time after this one. If the salon changes between both, the latest
    /// version counts; what concerns the start of the range is in the first list.
    public mutating func append(_ later: SlotList) {
        slots += later.slots
        salonVersion = later.salonVersion
        buffers = buffers ?? later.buffers
        assignedStaffID = assignedStaffID ?? later.assignedStaffID
    }
}

/// Whether a staff member is free in a slot.
public struct StaffAvailability: Sendable, Hashable {
    /// The id of the staff member.
    public var staffID: String
    /// The name of the ``BlockingRule`` that prevents a booking; nil if the staff member is free.
    public var rule: String?

    /// Creates an availability.
    public init(staffID: String, rule: String? = nil) {
        self.staffID = staffID
        self.rule = rule
    }
}
