public import BookingStorage
public import Domain

extension BookingPlan {
    /// A plan for an appointment of `minutes` with `options`, whatever length the salon states.
    /// The salon's clock shows UTC.
    public init(
        minutes: Int,
        _ options: BookingOptions = BookingOptions(),
        at salon: Salon
    ) throws {
        try self.init(for: options, at: salon, on: .offset(minutes: 0))
        requirement.minutes = minutes
    }
}

extension BookingStore {
    /// Books an appointment of `minutes`, whatever the salon's rules are.
    @discardableResult
    public func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        minutes: Int
    ) async throws(Problem) -> StoredAppointment {
        try await book(booking, as: request) { salon in
            try BookingPlan(minutes: minutes, booking.options, at: salon)
        }
    }
}
