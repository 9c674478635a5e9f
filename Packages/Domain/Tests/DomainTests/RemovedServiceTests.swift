import DomainTestSupport
import Testing

@testable import Domain

/// A salon without the service `color` for which an appointment was booked at noon: 90 minutes, with
/// buffers of 10 and 20 minutes.
@Suite("An appointment whose service the salon has removed")
struct RemovedServiceTests {
    private let noon = Samples.booking().time

    private let color = Service(
        id: "color",
        name: "Color",
        minutes: 90,
        bufferBefore: 10,
        bufferAfter: 20,
        price: Price(amount: 8_000, currency: "EUR")
    )

    private func salon(_ staff: [StaffMember] = []) -> Salon {
        var salon = Samples.salon()
        salon.services = [Service(id: "cut", name: "Cut", minutes: 30)]
        salon.staff = staff
        return salon
    }

    private func appointment(
        staffID: String? = nil,
        _ set: (inout Appointment) -> Void = { _ in }
    ) -> Appointment {
        var appointment = ChangeFixture.before
        appointment.booking.options = BookingOptions(serviceID: "color", staffID: staffID)
        appointment.endTime = noon.advanced(byMinutes: 90)
        appointment.bookedService = color
        set(&appointment)
        return appointment
    }

    private func requirement(
        _ moved: Appointment,
        _ options: BookingOptions? = nil,
        at salon: Salon? = nil
    ) throws -> Requirement {
        let schedule = Schedule(of: salon ?? self.salon(), on: .offset(minutes: 0))
        return try schedule.requirement(for: options ?? moved.booking.options, moving: moved)
    }

    @Test("needs what was booked, and its price stays the same")
    func booked() throws {
        let needed = try requirement(appointment())
        #expect([needed.bufferBefore, needed.minutes, needed.bufferAfter] == [10, 90, 20])
        #expect(needed.service?.price == color.price)
    }

    @Test(
        "needs the time until its end if the server reports nothing else, and else that of a slot"
    )
    func unreported() throws {
        let withEnd = try requirement(appointment { $0.bookedService = nil })
        #expect([withEnd.bufferBefore, withEnd.minutes, withEnd.bufferAfter] == [0, 90, 0])
        #expect(withEnd.service != nil)
        let unknown = try requirement(
            appointment { ($0.bookedService, $0.endTime) = (nil, nil) }
        )
        #expect(unknown.minutes == 30 && unknown.service == nil)
    }

    @Test("gets what the salon offers now if it has the service again, or moves to a different one")
    func present() throws {
        var salon = salon()
        salon.services.append(Service(id: "color", name: "Color", minutes: 45))
        #expect(try requirement(appointment(), at: salon).minutes == 45)
        let cut = BookingOptions(serviceID: "cut")
        #expect(try requirement(appointment(), cut).minutes == 30)
        for other in ["color", "shave"] {
            let elsewhere = appointment { $0.booking.options.serviceID = "beard" }
            #expect(throws: Failure.self) {
                try requirement(elsewhere, BookingOptions(serviceID: other))
            }
        }
    }

    @Test("keeps its person, or gets someone who offers everything, and else anyone")
    func staff() throws {
        let ana = StaffMember(id: "ana", name: "Ana", services: ["cut"])
        let ben = StaffMember(id: "ben", name: "Ben", services: ["cut"])
        let cleo = StaffMember(id: "cleo", name: "Cleo")
        func ids(_ staff: [StaffMember], had: String?, wanted: String? = nil) throws -> [String] {
            let options = BookingOptions(serviceID: "color", staffID: wanted)
            let found = try requirement(appointment(staffID: had), options, at: salon(staff))
            guard case .staff(let members) = found.resources else { return [] }
            return members.map(\.id)
        }
        #expect(try ids([ana, ben, cleo], had: "ben") == ["ben", "cleo"])
        #expect(try ids([ana, ben, cleo], had: nil) == ["cleo"])
        #expect(try ids([ana, ben], had: "someone who left") == ["ana", "ben"])
        #expect(try ids([ana, ben, cleo], had: "cleo", wanted: "ana") == ["ana"])
        #expect(throws: Failure.self) {
            try ids([ana], had: "ana", wanted: "someone who left")
        }
    }

    @Test("takes its time and its buffers, and ends as it was booked")
    func taken() {
        let busy = BusyInterval(of: appointment(), at: salon())
        #expect(busy.start == noon.advanced(byMinutes: -10).instant)
        #expect(busy.end == noon.advanced(byMinutes: 110).instant)
        #expect(BusyInterval.list(of: [appointment()], at: salon()) == [busy])
        let withoutEnd = appointment { $0.endTime = nil }
        #expect(withoutEnd.end(at: salon()) == noon.advanced(byMinutes: 90))
        #expect(withoutEnd.end(at: nil) == noon.advanced(byMinutes: 90))
    }

    private func fixture(_ appointment: Appointment) -> ChangeFixture {
        let fixture = ChangeFixture(salon: .known(salon()))
        fixture.server.holds(.success([appointment]))
        return fixture
    }

    private func move(minutes: Int) -> ChangeRequest {
        let time = noon.advanced(byMinutes: minutes)
        return ChangeRequest(id: ChangeFixture.id, kind: .reschedule(to: .wallClock(time)))
    }

    @Test("can be moved to a time at which all of it fits")
    func moved() async throws {
        // The salon closes at 22:30, which is 630 minutes after noon.
        let fixture = fixture(appointment())
        let moved = try await fixture.changing.change(move(minutes: 540)).appointment
        #expect(moved.booking.options.serviceID == "color" && moved.bookedService == color)
        #expect(fixture.server.requestedMoves == [ChangeFixture.id])
        let preview = try await self.fixture(appointment()).changing.preview(move(minutes: 540))
        #expect(preview.after.bookedService == color)
        #expect(preview.after.end(at: salon()) == noon.advanced(byMinutes: 630))
        let late = await self.fixture(appointment()).error(move(minutes: 570))
        guard case .notBookable("endsAfterHours", _, let free) = late else {
            Issue.record("it would end after closing: \(String(describing: late))")
            return
        }
        #expect(!free.isEmpty)
    }

    @Test("can be moved although the server cannot say whether the time is free")
    func unclear() async {
        let fixture = fixture(appointment())
        fixture.server.availability(.failure(.invalidData(reason: "unknown service")))
        #expect(await fixture.error(move(minutes: 300)) == nil)
        #expect(fixture.server.sentChanges.count == 1)
    }

    @Test("does not move to a time that overlaps its own buffers without asking the server")
    func buffers() async {
        // Its buffers end at 13:50, and those of the moved appointment begin 10 minutes early.
        for (minutes, isOverlapping) in [(119, true), (120, false)] {
            var salon = salon()
            salon.slotMinutes = nil
            let changing = ChangeFixture(salon: .known(salon))
            changing.server.holds(.success([appointment()]))
            changing.server.availability(.success(.taken(alternatives: [])))
            let error = await changing.error(move(minutes: minutes))
            #expect((error == nil) == isOverlapping, "\(minutes)")
        }
    }

    @Test("of a service that has a new price gets the present one when it moves")
    func newPrice() async throws {
        var salon = salon()
        var dearer = color
        dearer.price = Price(amount: 9_000, currency: "EUR")
        salon.services.append(dearer)
        let fixture = ChangeFixture(salon: .known(salon))
        fixture.server.holds(.success([appointment()]))
        let preview = try await fixture.changing.preview(move(minutes: 60))
        #expect(preview.before?.service(at: salon)?.price == color.price)
        #expect(preview.after.service(at: salon)?.price == dearer.price)
    }
}
