import Domain

extension BusyInterval {
    /// The time that an appointment occupies, including buffers. Each number of minutes is clamped
    /// to 0...1,440.
    init(_ booking: BookingRequest, minutes: Int, _ bufferBefore: Int, _ bufferAfter: Int) {
        let start = booking.time.instant
        self.init(
            start: start.advanced(byMinutes: bufferBefore, sign: -1),
            end: start.advanced(byMinutes: minutes).advanced(byMinutes: bufferAfter),
            staffID: booking.options.staffID,
            seats: max(booking.options.seats, 1)
        )
    }
}

extension Timestamp {
    /// This instant, 0 to 1,440 minutes later, or earlier if `sign` is -1.
    func advanced(byMinutes minutes: Int, sign: Int64 = 1) -> Timestamp {
        advanced(bySeconds: sign * 60 * Int64(min(max(minutes, 0), 1_440)))
    }
}
