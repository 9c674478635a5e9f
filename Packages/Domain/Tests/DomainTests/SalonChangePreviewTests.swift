import Domain
import DomainTestSupport
import Testing

@Suite("The preview of a change of a salon, and the appointments that it affects")
struct SalonChangePreviewTests {
    private typealias Fixture = ChangeSalonFixture

    private let id = Samples.salonID()
    /// An appointment at 12:00, which is within the hours before and after the change.
    private let inside = Samples.appointment()
    /// An appointment at 21:00, which is only within the hours before the change.
    private let outside = Samples.appointment(1, hours: 9)

    private func preview(
        _ fixture: Fixture,
        _ request: SalonChangeRequest = .put(ChangeSalonFixture.requested)
    ) async throws -> SalonChange {
        try await fixture.changing.preview(request)
    }

    @Test("reports the outcome without sending or caching anything")
    func outcomes() async throws {
        let fixture = Fixture()
        let changed = try await preview(fixture)
        #expect(changed.outcome == .changed && changed.before == Fixture.stored)
        #expect(changed.after == Fixture.requested)
        #expect(try await preview(fixture, .put(Fixture.stored)).outcome == .unchanged)
        let deleted = try await preview(fixture, .delete(id))
        #expect(deleted.outcome == .deleted && deleted.before == Fixture.stored)
        #expect(deleted.after == nil)
        var new = Samples.salon(2)
        new.version = 9
        let created = try await preview(fixture, .put(new))
        #expect(created.outcome == .created && created.before == nil)
        #expect(created.after == Samples.salon(2))
        #expect(fixture.server.sent.isEmpty && fixture.cache.updates == 0)
        #expect(fixture.counter.value == 0)
    }

    @Test("and the change list the same appointments that no longer fit, in order of time")
    func conflicts() async throws {
        let fixture = Fixture()
        let later = Samples.appointment(1, hours: 33)
        let elsewhere = Samples.appointment(2, hours: 9)
        fixture.bookings.holds(.success([later, inside, elsewhere, outside]))
        let predicted = try await preview(fixture)
        #expect(predicted.conflicting == [outside, later])
        #expect(predicted.appointmentsError == nil)
        #expect(try await fixture.put().conflicting == [outside, later])
        #expect(try await fixture.put().conflicting == [outside, later], "unchanged")
    }

    @Test("counts the length of the slots before the change, so a longer slot excludes no one")
    func lengths() async throws {
        let fixture = Fixture()
        let last = Samples.appointment(1, hours: 10)  // 22:00 to 22:30
        fixture.bookings.holds(.success([last]))
        var longer = Fixture.stored
        longer.slotMinutes = 50
        #expect(try await preview(fixture, .put(longer)).conflicts.isEmpty)
        var earlier = Fixture.stored
        earlier.hours.closes = TimeOfDay(minuteOfDay: 1_349)
        #expect(try await preview(fixture, .put(earlier)).conflicting == [last])
    }

    @Test("counts the length from the server, or else that of the service before the change")
    func bookedLengths() async throws {
        var before = Fixture.stored
        before.services = [Service(id: "color", name: "Color", minutes: 120)]
        var after = before
        after.hours.closes = TimeOfDay(minuteOfDay: 1_320)
        after.services = [Service(id: "color", name: "Color", minutes: 15)]
        let fixture = Fixture(SalonAPIStub(before))
        func isConflict(_ hours: Int64, _ serviceID: String?, minutes: Int? = nil) async throws
            -> Bool
        {
            var appointment = Samples.appointment(hours: hours)
            let start = appointment.booking.time
            appointment.booking.options.serviceID = serviceID
            appointment.endTime = minutes.map { start.advanced(byMinutes: $0) }
            fixture.bookings.holds(.success([appointment]))
            return try await !preview(fixture, .put(after)).conflicts.isEmpty
        }
        #expect(try await !isConflict(9, nil), "21:00 to 21:30")
        #expect(try await isConflict(9, "color"), "21:00 to 23:00")
        #expect(try await !isConflict(8, "color"), "20:00 to 22:00")
        #expect(try await isConflict(9, nil, minutes: 61))
        #expect(try await !isConflict(9, "color", minutes: 60))
        #expect(try await isConflict(8, "color", minutes: 121))
    }

    @Test("says why appointments may be missing, and succeeds")
    func incomplete() async throws {
        let fixture = Fixture()
        fixture.bookings.holds(.failure(.unavailable(reason: "busy")))
        let unlisted = try await fixture.put()
        #expect(unlisted.conflicts.isEmpty)
        #expect(unlisted.appointmentsError == "the appointments could not be listed: busy")
        let deletion = try await preview(fixture, .delete(id))
        #expect(deletion.appointmentsError == "the appointments could not be listed: busy")

        fixture.bookings.holds(.success([outside]))
        fixture.bookings.isComplete(false)
        let partial = try await preview(fixture)
        #expect(partial.conflicting == [outside] && partial.appointmentsError != nil)

        fixture.bookings.isComplete(true)
        fixture.bookings.reports(.success([ReportedAppointment(outside), ReportedAppointment()]))
        let unreadable = try await preview(fixture)
        #expect(unreadable.conflicting == [outside] && unreadable.appointmentsError != nil)
    }

    @Test("cannot list appointments in a time zone that this machine does not know")
    func unknownZone() async throws {
        let fixture = Fixture()
        fixture.bookings.holds(.success([outside]))
        var zoned = Fixture.requested
        zoned.timeZone = ZoneID("Mars/Olympus")
        let change = try await preview(fixture, .put(zoned))
        #expect(change.outcome == .changed && change.conflicts.isEmpty)
        let reason = "this machine does not know the time zone Mars/Olympus"
        #expect(change.appointmentsError == reason)
        #expect(try await fixture.put(zoned).outcome == .changed)
    }

    @Test("of a deletion fails if the salon has active bookings in the future")
    func bookings() async throws {
        let fixture = Fixture()
        var cancelled = inside
        cancelled.status = .cancelled
        let past = Samples.appointment(1, hours: -1_000_000)
        fixture.bookings.holds(.success([cancelled, past, Samples.appointment(2)]))
        #expect(try await preview(fixture, .delete(id)).outcome == .deleted)
        fixture.bookings.holds(.success([inside, outside]))
        let expected = Failure.salonHasBookings(id, reason: "it has 2 in the future")
        await #expect(throws: expected) { try await preview(fixture, .delete(id)) }
        // Without a dry run, only the server decides whether the salon can be deleted.
        #expect(try await fixture.delete().outcome == .deleted)
    }

    private static let zones = [
        (ZoneID("Test/Old"), 60), (ZoneID("Test/New"), 0),
    ]

    /// A fixture whose server stores a salon in one zone, and the salon in a different one.
    private func zoned() throws -> (Fixture, Salon) {
        var rules: [ZoneID: ZoneRules] = [:]
        for (zone, minutes) in Self.zones {
            rules[try #require(zone)] = ZoneRules(
                firstOffsetSeconds: minutes * 60,
                transitions: [],
                tail: nil
            )
        }
        var before = Fixture.stored
        before.timeZone = Self.zones[0].0
        var after = before
        (after.timeZone, after.version) = (Self.zones[1].0, nil)
        let fixture = Fixture(SalonAPIStub(before), zones: ZonesStub(rules))
        fixture.bookings.holds(.success([inside]))
        return (fixture, after)
    }

    @Test("lists the appointments whose local time differs in a new zone, with both local times")
    func newZone() async throws {
        let (fixture, salon) = try zoned()
        for change in [
            try await preview(fixture, .put(salon)), try await fixture.put(salon),
        ] {
            let conflict = try #require(change.conflicts.first)
            #expect(change.conflicts.count == 1 && conflict.reasons == [.localTimeChanged])
            // The server may show any offset.
            let time = inside.booking.time.instant
            #expect(
                conflict.appointment.booking.time
                    == AppointmentTime(instant: time, offsetMinutes: 60)
            )
            #expect(conflict.newLocalTime == AppointmentTime(instant: time))
            #expect(change.moved == nil && !change.isMoveUnconfirmed)
        }
    }

    @Test("predicts how many appointments move to keep their local times")
    func keepsWallClock() async throws {
        let (fixture, salon) = try zoned()
        let request = SalonChangeRequest.put(salon, keepsWallClock: true)
        let predicted = try await preview(fixture, request)
        #expect(predicted.moved == 1 && predicted.conflicts.isEmpty)
        fixture.server.moves(1)
        let change = try await fixture.changing.change(request)
        #expect(change.moved == 1 && !change.isMoveUnconfirmed && change.conflicts.isEmpty)
        #expect(fixture.server.sent.count == 1)
    }

    @Test("predicts the conflicts of moved appointments with the lengths that were booked")
    func movedLengths() async throws {
        var (fixture, salon) = try zoned()
        salon.hours.closes = TimeOfDay(minuteOfDay: 840)
        for (minutes, isConflict) in [(60, false), (61, true)] {
            // 13:00 on the clock before the change, which is an hour ahead of the new one.
            var appointment = inside
            appointment.endTime = inside.booking.time.advanced(byMinutes: minutes)
            fixture.bookings.holds(.success([appointment]))
            let predicted = try await preview(fixture, .put(salon, keepsWallClock: true))
            #expect(predicted.moved == 1)
            #expect(predicted.conflicts.map(\.reasons) == (isConflict ? [[.outsideHours]] : []))
            guard let moved = predicted.conflicting.first else { continue }
            #expect(moved.endTime == moved.booking.time.advanced(byMinutes: minutes))
        }
    }

    @Test("says if the server did not confirm that it moved appointments")
    func unconfirmedMove() async throws {
        let (fixture, salon) = try zoned()
        let request = SalonChangeRequest.put(salon, keepsWallClock: true)
        let change = try await fixture.changing.change(request)
        #expect(change.moved == nil && change.isMoveUnconfirmed && change.conflicts.count == 1)
        // An unchanged salon is still sent, because the rules of its time zone may have changed.
        fixture.server.moves(0)
        let again = try await fixture.changing.change(request)
        #expect(again.outcome == .changed && again.moved == 0)
        fixture.server.fault(.rejected(.noResponse(reason: "test")))
        await #expect(throws: Failure.self) {
            _ = try await fixture.changing.change(request)
        }
    }
}

extension SalonChange {
    fileprivate var conflicting: [Appointment] { conflicts.map(\.appointment) }
}
