import Domain
import DomainTestSupport
import Testing

@Suite("A second appointment of one phone number at the same time")
struct CustomerOverlapTests {
    private let salon = Samples.salon()

    private func appointment(
        _ minutes: Int = 0,
        phone: String = "+49 30 1234567",
        id: String? = nil,
        salon number: UInt8 = 1,
        staff: String? = nil
    ) -> Appointment {
        var booking = Samples.booking(number, phone: phone)
        booking.time = booking.time.advanced(byMinutes: minutes)
        booking.options.staffID = staff
        return Appointment(booking: booking, id: id)
    }

    private func found(_ new: Appointment, _ others: Appointment...) -> Int {
        new.overlappingOfCustomer(among: others, at: salon).count
    }

    @Test("is found however the number is written, with other staff and at other salons")
    func found() {
        #expect(found(appointment(), appointment(id: "a", staff: "ana")) == 1)
        #expect(found(appointment(), appointment(phone: "030 1234567", id: "a")) == 1)
        #expect(found(appointment(), appointment(id: "a", salon: 2)) == 1)
        #expect(found(appointment(), appointment(phone: "030 7654321", id: "a")) == 0)
        #expect(found(appointment(), appointment(phone: "***567", id: "a")) == 0)
        // Even an equal one that exists already, which a dry run does not show.
        #expect(found(appointment(), appointment(id: "a"), appointment(5, id: "b")) == 2)
    }

    @Test("is one that overlaps, not only one of the same minute")
    func overlapping() {
        for (minutes, count) in [(-30, 0), (-29, 1), (29, 1), (30, 0)] {
            #expect(found(appointment(), appointment(minutes, id: "a")) == count, "\(minutes)")
        }
        var long = appointment(-90, id: "a")
        long.endTime = long.booking.time.advanced(byMinutes: 91)
        #expect(found(appointment(), long) == 1)
    }

    @Test("is neither the appointment itself nor a cancelled one")
    func itself() {
        var cancelled = appointment(id: "b")
        cancelled.status = .cancelled
        #expect(found(appointment(id: "a"), appointment(id: "a"), cancelled) == 0)
        #expect(found(appointment(id: "a"), appointment(id: "a"), appointment(id: "c")) == 1)
        // A server without ids shows the appointment that was just booked.
        var booked = appointment()
        booked.version = 1
        #expect(found(booked, appointment()) == 0)
        #expect(found(booked, appointment(), appointment(10)) == 1)
    }
}
