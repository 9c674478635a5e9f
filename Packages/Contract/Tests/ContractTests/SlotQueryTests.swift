import Contract
import Domain
import Testing

@Suite("The query that requests slots")
struct SlotQueryTests {
    private let start = AppointmentTime(instant: Timestamp(secondsSince1970: 1_774_310_400))

    private func query(_ options: BookingOptions, movedID: String? = nil, isExplained: Bool = false)
        -> [String]
    {
        let request = SlotRequest(
            salonID: SalonID(high: 0, low: 1),
            start: start,
            end: start.advanced(byMinutes: 60),
            options: options,
            movedID: movedID,
            isExplained: isExplained,
            enough: 4
        )
        return SlotQueryCodec.parameters(of: request).map { "\($0.name)=\($0.value)" }
    }

    @Test("has the range, and only what differs from an ordinary appointment")
    func parameters() {
        let range = ["start=2026-03-24T00:00:00+0000", "end=2026-03-24T01:00:00+0000"]
        #expect(query(BookingOptions()) == range)
        #expect(query(BookingOptions(seats: 2)) == range + ["seats=2"])
        let options = BookingOptions(serviceID: "cut", staffID: "ana")
        #expect(
            query(options, movedID: "a1", isExplained: true)
                == range + ["serviceId=cut", "staffId=ana", "appointmentId=a1", "explain=true"]
        )
    }
}
