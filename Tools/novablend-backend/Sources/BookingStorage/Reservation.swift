package import Domain

/// An appointment or a hold, which occupies the time of a staff member or of seats.
package protocol Reservation: Sendable {
    var id: String { get }
    var booking: BookingRequest { get set }
    var minutes: Int { get set }
    var bufferBefore: Int { get set }
    var bufferAfter: Int { get set }
    var isStaffAssigned: Bool { get set }
    /// When the reservation ends; nil for an appointment, which takes its time until it is
    /// cancelled.
    var expiry: Timestamp? { get }
}

extension StoredAppointment: Reservation {
    package var expiry: Timestamp? { nil }
}

extension StoredHold: Reservation {
    package var expiry: Timestamp? { expiresAt }
}

extension Reservation {
    /// The options that the customer chose. A staff member whom the store chose is left out.
    package var requestedOptions: BookingOptions {
        var options = booking.options
        if isStaffAssigned { options.staffID = nil }
        return options
    }

    /// The time that the reservation occupies, including buffers.
    package var interval: BusyInterval {
        BusyInterval(booking, minutes: minutes, bufferBefore, bufferAfter)
    }

    /// The grains that the reservation occupies, as numbers of five-minute intervals since the Unix
    /// epoch.
    package var grains: Range<Int64> {
        let first = interval.start.grain
        // The end of the last grain is greater than any `Timestamp`, so it cannot be rounded up to.
        return first..<max(TimePrecision.grains.end(of: interval.end).grain, first + 1)
    }
}

extension Timestamp {
    /// The number of the grain that contains this instant.
    package var grain: Int64 {
        let (quotient, remainder) =
            secondsSince1970.quotientAndRemainder(dividingBy: TimePrecision.grainSeconds)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Reservation {
    /// The number of rows that the reservation takes: one for each grain of each staff member or
    /// seat.
    package var rowCount: Int { grains.count * max(booking.options.seats, 1) }

    /// Sets the length and the buffers, and shows the time on the salon's clock, because a client
    /// may send any UTC offset. Throws `tooManyRows` if it needs more rows than a transaction may
    /// take.
    package mutating func apply(_ plan: BookingPlan) throws(Problem) {
        minutes = plan.requirement.minutes
        bufferBefore = plan.requirement.bufferBefore
        bufferAfter = plan.requirement.bufferAfter
        booking.time = plan.schedule.clock.salonTime(of: booking.time)
        guard rowCount <= Requirement.maximumRows else { throw .tooManyRows(rowCount) }
    }

    /// Sets the staff member who was chosen; none if seats were chosen.
    package mutating func assign(_ allocation: Allocation) {
        let requested = requestedOptions.staffID
        booking.options.staffID = allocation.staffID
        isStaffAssigned = allocation.staffID != requested && allocation.staffID != nil
    }
}

extension Allocation {
    fileprivate var staffID: String? { if case .staff(let id) = self { id } else { nil } }
}
