import Domain
import DomainTestSupport
import Testing

@Suite("The time that an appointment takes")
struct BusyIntervalTests {
    private func appointment(_ options: BookingOptions, end: Timestamp? = nil) -> Appointment {
        var appointment = Samples.appointment()
        appointment.booking.time = AppointmentTime(instant: StaffedSalon.at(12))
        appointment.booking.options = options
        appointment.endTime = end.map { AppointmentTime(instant: $0) }
        return appointment
    }

    @Test("is the service with its buffers, or the reported end, or the usual length")
    func lengths() {
        var salon = StaffedSalon.salon()
        salon.slotMinutes = 45
        let at = StaffedSalon.at
        let cases: [(Appointment, Timestamp, Timestamp)] = [
            (appointment(.init()), at(12, 0), at(12, 45)),
            (appointment(.init(), end: at(12, 10)), at(12, 0), at(12, 10)),
            (appointment(.init(serviceID: "color")), at(11, 50), at(13, 20)),
            (appointment(.init(serviceID: "color"), end: at(14, 0)), at(11, 50), at(14, 20)),
            (appointment(.init(serviceID: "gone")), at(12, 0), at(12, 45)),
            (appointment(.init(serviceID: "color"), end: at(9, 0)), at(11, 50), at(12, 20)),
        ]
        for (appointment, start, end) in cases {
            let busy = BusyInterval(of: appointment, at: salon)
            #expect(busy.start == start && busy.end == end)
        }
        let list = BusyInterval.list(of: cases.map(\.0), at: salon)
        #expect(list == cases.map { BusyInterval(of: $0.0, at: salon) })
    }

    @Test("is that of its staff member or of its seats, at least one")
    func resources() {
        let salon = StaffedSalon.salon(StaffedSalon.ana)
        let busy = BusyInterval(of: appointment(.init(staffID: "ana", seats: 0)), at: salon)
        #expect(busy.staffID == "ana" && busy.seats == 1)
        #expect(BusyInterval(of: appointment(.init(seats: 3)), at: salon).seats == 3)
    }

    @Test("uses the first of several services with the same id")
    func sameID() {
        var salon = StaffedSalon.salon()
        salon.services.append(Service(id: "cut", name: "Again", minutes: 200))
        let cut = appointment(.init(serviceID: "cut"))
        let single = BusyInterval(of: cut, at: salon)
        #expect(single.end == StaffedSalon.at(12, 30))
        #expect(BusyInterval.list(of: [cut], at: salon) == [single])
    }
}
