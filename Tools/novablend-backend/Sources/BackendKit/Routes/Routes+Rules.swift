import BookingStorage
import Domain
import HTTPServing

extension Routes {
    /// Checks that the salon's rules allow a booking, and returns what it needs. This does not look
    /// for other bookings.
    func plan(for booking: BookingRequest, in salon: Salon) throws(Problem) -> BookingPlan {
        let schedule = schedule(of: salon, for: booking.time)
        return try rule { () throws(BookingError) in
            try BookingRules.check(booking, by: schedule, now: clock.now)
            do throws(InvalidOptionsError) {
                let requirement = try schedule.requirement(for: booking.options)
                return BookingPlan(schedule: schedule, requirement: requirement)
            } catch {
                throw .invalidRequest(field: error.field, reason: error.reason)
            }
        }
    }

    /// Runs `body`. If the time cannot be booked, adds later free times to the error. Only then
    /// evaluates `salonID`.
    func offeringAlternatives(
        to time: AppointmentTime,
        in salonID: @autoclosure () async throws -> SalonID?,
        _ body: () async throws -> ServerResponse
    ) async throws -> ServerResponse {
        do {
            return try await body()
        } catch {
            guard var problem = error as? Problem ?? (error as? StoreError).map({ Problem($0) }),
                problem.kind.hasAlternatives, let salonID = try await salonID()
            else { throw error }
            problem.alternatives = try await alternatives(to: time, in: salonID)
            throw problem
        }
    }

    /// Runs a check and translates its error to a problem.
    func rule<R>(_ check: () throws(BookingError) -> R) throws(Problem) -> R {
        do throws(BookingError) {
            return try check()
        } catch {
            switch error {
            case .invalidRequest(let field, let reason):
                throw Problem(.invalidBooking, "\(field) \(reason)")
            case .outsideOpeningHours(_, let reason, _):
                throw Problem(.outsideOpeningHours, reason)
            case .notBookable(let rule, let reason, _):
                var problem = Problem(.notBookable, reason)
                problem.rule = rule
                throw problem
            default: throw Problem(.invalidBooking, "\(error)")
            }
        }
    }
}
