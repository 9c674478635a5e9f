import Domain
import DomainTestSupport
import Testing

@Suite("Prices, hours, and ends as people read them")
struct SalonTextTests {
    @Test(
        "a price has the decimals of its currency",
        arguments: [
            (4_500, "EUR", "45.00 EUR"), (5, "USD", "0.05 USD"), (0, "EUR", "0.00 EUR"),
            (4_500, "JPY", "4500 JPY"), (1_234, "KWD", "1.234 KWD"), (99, "CLF", "0.0099 CLF"),
            (123, "XYZ", "1.23 XYZ"),
        ]
    )
    func price(amount: Int, currency: String, text: String) {
        #expect(Price(amount: amount, currency: currency).description == text)
    }

    private func hours(_ opens: Int, _ closes: Int) -> OpeningHours {
        OpeningHours(
            opens: TimeOfDay(minuteOfDay: opens * 60),
            closes: TimeOfDay(minuteOfDay: closes * 60)
        )
    }

    @Test("adjacent days with equal hours are one entry, and closed days are left out")
    func weekly() {
        let split = [hours(9, 12), hours(14, 18)]
        let week = WeeklyHours([
            .monday: split, .tuesday: split, .wednesday: [hours(9, 12)], .friday: split,
            .sunday: [hours(22, 2)],
        ])
        #expect(
            week.description
                == "Mon-Tue 09:00-12:00, 14:00-18:00; Wed 09:00-12:00; "
                + "Fri 09:00-12:00, 14:00-18:00; Sun 22:00-02:00"
        )
        #expect(WeeklyHours().description == "closed")
        var salon = Samples.salon()
        #expect(salon.hoursText == "09:30-22:30")
        salon.weekly = WeeklyHours([.saturday: [hours(10, 14)]])
        #expect(salon.hoursText == "Sat 10:00-14:00")
    }

    @Test("an appointment ends as the server reports, or as the service or the salon states")
    func end() {
        var salon = Samples.salon()
        salon.services = [Service(id: "color", name: "Color", minutes: 90)]
        var appointment = Samples.appointment()
        let start = appointment.booking.time
        #expect(appointment.end(at: nil) == nil)
        #expect(appointment.end(at: salon) == start.advanced(byMinutes: 30))
        salon.slotMinutes = nil
        #expect(appointment.end(at: salon) == nil)
        appointment.booking.options.serviceID = "color"
        #expect(appointment.end(at: salon) == start.advanced(byMinutes: 90))
        salon.services = []
        salon.slotMinutes = 30
        #expect(appointment.end(at: salon) == nil)
        appointment.endTime = start.advanced(byMinutes: 45)
        #expect(appointment.end(at: salon) == start.advanced(byMinutes: 45))
    }
}
