import BookingStorage
import Contract
import Domain
import HTTPServing

extension Principal {
    /// Whether the default of `furthest_days` applies. Those without a token can see the times of
    /// customers.
    fileprivate var isCustomer: Bool { role.phone != nil }

    /// Whether the number of appointments is limited: that of a customer, and that of a phone number
    /// where bookings need no token.
    fileprivate var isLimited: Bool { isCustomer || tokenID == nil }
}

extension Routes {
    /// How many days ahead customers can book at a salon that does not state it.
    static let defaultFurthestDays = 800

    /// A salon with the rules that apply to what a principal books.
    func rules(of salon: Salon, for principal: Principal) -> Salon {
        guard principal.isCustomer, salon.furthestDays == nil else { return salon }
        var salon = salon
        salon.furthestDays = Self.defaultFurthestDays
        return salon
    }

    /// What a booking needs, if the salon's rules allow it. This does not look for overlapping
    /// bookings. `moved` is the appointment that moves, or nil.
    func plan(
        for booking: BookingRequest,
        moving moved: StoredAppointment? = nil,
        in salon: Salon,
        by principal: Principal
    ) throws(Problem) -> BookingPlan {
        let schedule = schedule(of: rules(of: salon, for: principal), for: booking.time)
        var plan = BookingPlan(
            schedule: schedule,
            requirement: try requirement(of: booking.options, moving: moved, by: schedule)
        )
        guard booking.holdID != nil else {
            try check(booking.time, plan, isHeld: false)
            return plan
        }
        try check(booking.time, plan, isHeld: true)
        do {
            try check(booking.time, plan, isHeld: false)
        } catch {
            // The store knows whether the hold exists.
            plan.errorWithoutHold = error
        }
        return plan
    }

    private func check(
        _ time: AppointmentTime,
        _ plan: BookingPlan,
        isHeld: Bool
    ) throws(Problem) {
        do {
            try BookingRules.check(
                time,
                for: plan.requirement,
                by: plan.schedule,
                now: clock.now,
                isHeld: isHeld
            )
        } catch {
            throw Problem(error)
        }
    }

    /// Checks the fields of the booking, then returns its plan, as ``plan(for:moving:in:by:)`` does, with
    /// the limits of the customer.
    func checkedPlan(
        for booking: BookingRequest,
        in salon: Salon,
        by principal: Principal
    ) throws(Problem) -> BookingPlan {
        do { try BookingRules.check(booking, now: clock.now) } catch { throw Problem(error) }
        var plan = try plan(for: booking, in: salon, by: principal)
        if principal.isLimited {
            plan.limits =
                salon.customerLimits.limits(areTotal: false)
                + customerLimits.limits(areTotal: true)
        }
        return plan
    }

    /// What an appointment needs. Throws `invalidBooking` if the salon does not offer it. `moved` is
    /// the appointment that moves, or nil.
    func requirement(
        of options: BookingOptions,
        moving moved: StoredAppointment?,
        by schedule: Schedule
    ) throws(Problem) -> Requirement {
        do {
            return try schedule.requirement(for: options, moving: moved?.appointment)
        } catch {
            throw Problem(error)
        }
    }

    /// Runs `body`. If the time cannot be booked, adds later free times to the error. `wanted` is
    /// evaluated only in this case. It is the booking, and the appointment that it moves, if any.
    func offeringAlternatives(
        to wanted: @autoclosure () async throws -> (BookingRequest, moving: StoredAppointment?)?,
        for principal: Principal,
        _ body: () async throws -> ServerResponse
    ) async throws -> ServerResponse {
        do {
            return try await body()
        } catch {
            guard var problem = error as? Problem, problem.kind.hasAlternatives else { throw error }
            // Nothing was booked, whether or not the free times can be read.
            if let (booking, moved) = try? await wanted() {
                problem.alternatives =
                    (try? await alternatives(to: booking, moving: moved, for: principal)) ?? []
            }
            throw problem
        }
    }
}
