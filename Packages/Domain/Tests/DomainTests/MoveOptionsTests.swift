import Domain
import DomainTestSupport
import Testing

/// A salon with two services of 30 and 90 minutes and two staff members. The server has an appointment
/// of 30 minutes at noon.
@Suite("A moved appointment and its service, staff member, and seats")
struct MoveOptionsTests {
    private let noon = Samples.booking().time

    private func fixture(
        staffID: String? = "ana",
        isStaffAssigned: Bool = false
    ) -> ChangeFixture {
        var salon = Samples.salon()
        salon.services = [
            Service(id: "cut", name: "Cut", minutes: 30, bufferAfter: 15),
            Service(id: "color", name: "Color", minutes: 90),
        ]
        salon.staff = [StaffMember(id: "ana", name: "Ana"), StaffMember(id: "ben", name: "Ben")]
        let fixture = ChangeFixture(salon: .known(salon))
        var before = ChangeFixture.before
        before.booking.options = BookingOptions(serviceID: "cut", staffID: staffID)
        before.isStaffAssigned = isStaffAssigned
        fixture.server.holds(.success([before]))
        return fixture
    }

    private func move(
        minutes: Int = 60,
        _ options: OptionsChange = OptionsChange()
    ) -> ChangeRequest {
        let time = noon.advanced(byMinutes: minutes)
        let kind = ChangeRequest.Kind.reschedule(to: .wallClock(time), changing: options)
        return ChangeRequest(id: ChangeFixture.id, kind: kind)
    }

    @Test("they stay unless the request changes them")
    func unchanged() async throws {
        let moved = try await fixture().changing.change(move()).appointment
        #expect(moved.booking.options == BookingOptions(serviceID: "cut", staffID: "ana"))
    }

    @Test("the request can change the service and the staff member")
    func changed() async throws {
        let options = OptionsChange(serviceID: "color", staff: .member("ben"))
        let fixture = fixture()
        let moved = try await fixture.changing.change(move(options)).appointment
        #expect(moved.booking.options == BookingOptions(serviceID: "color", staffID: "ben"))
        #expect(
            fixture.server.sentChanges.map(\.kind) == [
                .reschedule(to: noon.advanced(byMinutes: 60), changing: options)
            ]
        )
    }

    private func move(_ options: OptionsChange) -> ChangeRequest { move(minutes: 60, options) }

    @Test("an assigned staff member may be replaced by the server, a chosen one is asked for again")
    func staff() {
        var change = AppointmentChange(
            id: "a",
            version: 1,
            kind: .reschedule(to: noon),
            before: ChangeFixture.before
        )
        change.before.booking.options.staffID = "ana"
        #expect(change.requested.options.staffID == "ana")
        change.before.isStaffAssigned = true
        #expect(change.requested.options.staffID == nil)
        change.kind = .reschedule(to: noon, changing: OptionsChange(staff: .anyone))
        change.before.isStaffAssigned = false
        #expect(change.outcome.booking.options.staffID == nil)
        #expect(!change.outcome.isStaffAssigned)
    }

    @Test("a server that names a different staff member for an assigned one confirms the move")
    func replaced() async throws {
        let fixture = fixture(isStaffAssigned: true)
        var echo = ReportedAppointment(ChangeFixture.after(hours: 1, version: 2))
        (echo.staffID, echo.isStaffAssigned) = ("ben", true)
        fixture.server.answers(.success(echo))
        let moved = try await fixture.changing.change(move()).appointment
        #expect(moved.booking.options.staffID == "ben")
        #expect(moved.isStaffAssigned)
    }

    @Test("an echo with a service other than the requested one does not confirm the move")
    func mismatch() async {
        let fixture = fixture()
        var echo = ReportedAppointment(ChangeFixture.after(hours: 1, version: 2))
        echo.serviceID = "cut"
        fixture.server.answers(.success(echo))
        let error = await fixture.error(move(OptionsChange(serviceID: "color")))
        guard case .inDoubt = error else {
            Issue.record(
                "a move with a different service was confirmed: \(String(describing: error))"
            )
            return
        }
    }

    @Test("the new service must end before the salon closes")
    func length() async {
        // The salon closes at 22:30, which is 630 minutes after noon.
        let fixture = fixture()
        #expect(await fixture.error(move(minutes: 600)) == nil)
        let error = await fixture.error(move(minutes: 600, OptionsChange(serviceID: "color")))
        guard case .notBookable("endsAfterHours", _, _) = error else {
            Issue.record("the old service was checked: \(String(describing: error))")
            return
        }
    }

    @Test(
        "its own time, buffers included, does not count as taken",
        arguments: [
            (30, 0, true), (60, 0, false), (-30, 0, true), (-60, 0, false), (-60, 90, true),
        ]
    )
    func ownTime(minutes: Int, newMinutes: Int, isMoved: Bool) async {
        let fixture = fixture()
        fixture.server.availability(.success(.taken(alternatives: [])))
        let options = OptionsChange(serviceID: newMinutes == 0 ? nil : "color")
        let error = await fixture.error(move(minutes: minutes, options))
        #expect(error == (isMoved ? nil : .slotUnavailable(alternatives: [])))
    }

    @Test("a service that the salon does not offer names the field, and nothing is sent")
    func unknownService() async {
        let fixture = fixture()
        let error = await fixture.error(move(OptionsChange(serviceID: "shave")))
        #expect(
            error == .invalidRequest(field: "serviceId", reason: "must be one of cut, color")
        )
        #expect(fixture.server.sentKeys.isEmpty)
    }

    @Test("repeating a move under its key with a different service is a different request")
    func repetition() async throws {
        let fixture = fixture()
        let color = OptionsChange(serviceID: "color")
        _ = try await fixture.changing.change(move(color), key: "k")
        _ = try await fixture.changing.change(move(color), key: "k")
        #expect(fixture.server.sentKeys == ["k"])
        await #expect(throws: Failure.idempotencyConflict(key: "k")) {
            try await fixture.changing.change(move(), key: "k")
        }
    }
}
