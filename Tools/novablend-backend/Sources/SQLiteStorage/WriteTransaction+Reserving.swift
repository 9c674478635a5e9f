import BookingStorage
import Domain

extension WriteTransaction {
    /// Takes a free staff member or free seats for an appointment or a hold that has none. Sets its
    /// length, its buffers, and its staff member. Throws `slotUnavailable` if too few are free.
    func reserve(
        _ plan: BookingPlan,
        for reservation: inout some Reservation,
        preferring preferred: String? = nil
    ) throws {
        let requirement = plan.requirement
        let start = reservation.booking.time.instant
        let busy = try BusyRows.intervals(
            of: reservation.booking.salonID,
            in: plan.schedule.allocationRange(for: requirement, at: start),
            except: reservation.id,
            now: now,
            in: database
        )
        let allocation = plan.schedule.allocation(
            for: requirement,
            at: start,
            busy: busy,
            preferring: preferred
        )
        guard let allocation else { throw StoreError.slotUnavailable }
        reservation.minutes = requirement.minutes
        reservation.bufferBefore = requirement.bufferBefore
        reservation.bufferAfter = requirement.bufferAfter
        let requested = reservation.requestedOptions.staffID
        reservation.booking.options.staffID = allocation.staffID
        reservation.isStaffAssigned = allocation.staffID != requested && allocation.staffID != nil
        guard try OccupancyRows.take(allocation, for: reservation, now: now, in: database) else {
            throw StoreError.slotUnavailable
        }
    }
}

extension Allocation {
    fileprivate var staffID: String? { if case .staff(let id) = self { id } else { nil } }
}
