import Domain
import DomainTestSupport
import Testing

@Suite("A new time checked against the salon's schedule")
struct ChangeByScheduleTests {
    private let fixture = ChangeFixture()
    private let noon = Samples.booking().time

    @Test("the salon's rules apply to the new time, and alternatives are suggested")
    func rules() async {
        fixture.server.availability(.success(.unsupported))
        let offGrid = ChangeRequest(
            id: ChangeFixture.id,
            kind: .reschedule(to: .wallClock(noon.advanced(byMinutes: 61)))
        )
        guard case .notBookable("offGrid", _, let free) = await fixture.error(offGrid) else {
            Issue.record("moved between two slots")
            return
        }
        #expect(free.first == noon.advanced(byMinutes: 90))
        let late = ChangeFixture.move(hours: 11)
        guard case .outsideOpeningHours = await fixture.error(late) else {
            Issue.record("moved past closing")
            return
        }
        guard
            case .invalidRequest("appointmentTime", _) = await fixture.error(
                .init(
                    id: ChangeFixture.id,
                    kind: .reschedule(to: .wallClock(noon.advanced(byMinutes: -1_440)))
                )
            )
        else {
            Issue.record("moved into the past")
            return
        }
        #expect(fixture.server.sentKeys.isEmpty)
    }

    @Test("a taken slot is rejected, unless the appointment itself takes it")
    func taken() async throws {
        let free = [noon.advanced(byMinutes: 90)]
        fixture.server.availability(.success(.taken(alternatives: free)))
        #expect(await fixture.error(ChangeFixture.move()) == .slotUnavailable(alternatives: free))
        #expect(fixture.server.sentKeys.isEmpty)
        let same = try await fixture.changing.change(ChangeFixture.move(hours: 0))
        #expect(same.appointment == ChangeFixture.after(version: 2))
    }

    @Test("only a move by less than the length of the appointment overlaps its own slot")
    func ownSlot() async throws {
        var salon = Samples.salon()
        salon.slotMinutes = nil
        let fixture = ChangeFixture(salon: .known(salon))
        fixture.server.availability(.success(.taken(alternatives: [])))
        for (minutes, isAsked) in [(29, false), (30, true), (-29, false), (-30, true)] {
            let time = noon.advanced(byMinutes: minutes)
            let request = ChangeRequest(
                id: ChangeFixture.id,
                kind: .reschedule(to: .wallClock(time))
            )
            let error = await fixture.error(request)
            #expect(error == (isAsked ? .slotUnavailable(alternatives: []) : nil), "\(minutes)")
        }
    }

    @Test("at an unknown salon, any move within a day may overlap its own slot")
    func unknownLength() async throws {
        let fixture = ChangeFixture(salon: .unknown)
        fixture.server.availability(.success(.taken(alternatives: [])))
        #expect(await fixture.error(ChangeFixture.move(hours: 23)) == nil)
        let later = await fixture.error(ChangeFixture.move(hours: 24))
        #expect(later == .slotUnavailable(alternatives: []))
    }

    @Test("local times and alternatives are on the clock of the salon's time zone")
    func zoned() async throws {
        let berlin = try SampleZones.berlin()
        var salon = Samples.salon()
        salon.timeZone = berlin.id
        let fixture = ChangeFixture(
            salon: .known(salon),
            zones: ZonesStub([berlin.id: berlin.rules])
        )
        let local = LocalTime(noon.instant, offsetSeconds: 4 * 3_600)
        let request = ChangeRequest(id: ChangeFixture.id, kind: .reschedule(to: .local(local)))
        fixture.server.availability(.success(.taken(alternatives: [noon])))
        let onItsClock = AppointmentTime(instant: noon.instant, offsetMinutes: 120)
        #expect(await fixture.error(request) == .slotUnavailable(alternatives: [onItsClock]))
        fixture.server.availability(.success(.available()))
        let moved = try await fixture.changing.change(request)
        #expect(moved.appointment.booking.time == onItsClock.advanced(byMinutes: 120))
    }
}
