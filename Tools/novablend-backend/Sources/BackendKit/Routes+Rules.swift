import BookingStorage
import Domain
import HTTPServing
import JSON

extension Routes {
    /// Checks that the salon's rules allow a booking. This does not look for overlapping bookings.
    func check(_ booking: BookingRequest, in salon: Salon) throws {
        let schedule = try schedule(of: salon, for: booking.time)
        try rule { () throws(BookingError) in
            try BookingRules.check(booking, by: schedule, now: clock.now)
        }
    }

    /// Checks that the idempotency key, if the request has one, is valid.
    func check(_ key: String?) throws {
        guard let key else { return }
        try rule { () throws(BookingError) in try BookingRules.check(key: key) }
    }

    /// Decodes a body. A decoding error becomes an `invalidBooking` problem.
    func decode<Model>(_ read: () throws(JSONError) -> Model) throws -> Model {
        do throws(JSONError) {
            return try read()
        } catch {
            throw Problem(422, "invalidBooking", error.description)
        }
    }

    /// Runs `body`. If the time cannot be booked, adds later free times to the error.
    func offeringAlternatives(
        to time: AppointmentTime,
        in salon: SalonID,
        _ body: () async throws(StoreError) -> ServerResponse
    ) async throws -> ServerResponse {
        do throws(StoreError) {
            return try await body()
        } catch {
            guard var problem = Problem(error),
                Self.problemsWithAlternatives.contains(problem.name),
                let salon = try await store.salon(salon).map(withKnownZone)
            else { throw error }
            problem.alternatives = try await alternatives(to: time, in: salon)
            throw problem
        }
    }

    private static let problemsWithAlternatives: Set = [
        "slotUnavailable", "notBookable", "outsideOpeningHours",
    ]

    /// Runs a check and translates its error to a problem.
    func rule(_ check: () throws(BookingError) -> Void) throws {
        do throws(BookingError) {
            try check()
        } catch {
            switch error {
            case .invalidRequest(let field, let reason):
                throw Problem(422, "invalidBooking", "\(field) \(reason)")
            case .outsideOpeningHours(_, let reason, _):
                throw Problem(422, "outsideOpeningHours", reason)
            case .notBookable(let rule, let reason, _):
                var problem = Problem(422, "notBookable", reason)
                problem.rule = rule
                throw problem
            default: throw Problem(422, "invalidBooking", "\(error)")
            }
        }
    }
}
