import Domain
import DomainTestSupport
import JSON
import Testing

@testable import NovaBlendMethods

@Suite("The result of a change of a salon, and the question before it")
struct SalonChangeReplyTests {
    private var before: Salon {
        var salon = Samples.salon()
        salon.version = 3
        return salon
    }

    private var change: SalonChange {
        var after = before
        after.hours.closes = TimeOfDay(minuteOfDay: 1_230)
        (after.phone, after.leadMinutes, after.version) = (nil, 60, 4)
        var change = SalonChange(outcome: .changed, before: before, after: after)
        change.conflicts = [Self.conflict]
        return change
    }

    private static let conflict = SalonConflict(
        appointment: Samples.appointment(1, hours: 9),
        reasons: [.localTimeChanged, .outsideHours],
        localTime: AppointmentTime(
            instant: Samples.appointment(1, hours: 9).booking.time.instant,
            offsetMinutes: 60
        )
    )

    private func text(_ change: SalonChange, isDryRun: Bool = false) -> String {
        SalonChangeReply(change: change, isDryRun: isDryRun).encode().description
    }

    @Test("names each member with its old and new value, but not the version")
    func members() {
        let text = text(change)
        #expect(
            text.contains(
                #""changes":[{"member":"phone","old":"030 1234567"},"#
                    + #"{"member":"close_time","old":"22:30","new":"20:30"},"#
                    + #"{"member":"lead_minutes","new":"60"}]"#
            ),
            "\(text)"
        )
        #expect(text.hasPrefix(#"{"outcome":"changed","salon":{"id""#))
        #expect(text.contains(#""version":4,"hours":"09:30-20:30"}"#))
        #expect(self.text(change, isDryRun: true).hasPrefix(#"{"dryRun":true,"outcome""#))
    }

    @Test("names no members if the salon was created, kept, or deleted")
    func otherOutcomes() {
        let created = SalonChange(outcome: .created, before: nil, after: before)
        let unchanged = SalonChange(outcome: .unchanged, before: before, after: before)
        for change in [created, unchanged] {
            let text = text(change)
            #expect(text.contains(#""name":"Salon 1""#), "\(text)")
            #expect(text.hasSuffix(#","changes":[],"conflicts":[]}"#), "\(text)")
        }
        let deleted = text(SalonChange(outcome: .deleted, before: before, after: nil))
        #expect(deleted.hasPrefix(#"{"outcome":"deleted","salon":{"id""#))
        #expect(deleted.hasSuffix(#""hours":"09:30-22:30"}}"#), "\(deleted)")
    }

    @Test("lists each conflict with its reasons and both local times, and how many move")
    func conflicts() throws {
        var moving = change
        moving.moved = 2
        let text = text(moving)
        #expect(
            text.hasSuffix(
                #","reasons":["localTimeChanged","outsideHours"],"#
                    + #""newLocalTime":"2024-10-20T22:00:00+01:00"}],"moved":2}"#
            ),
            "\(text)"
        )
        moving.conflicts = []
        let details = try #require(SalonChangeDetails.confirmation(of: moving)).details
        #expect(details.last == "Appointments that move: 2")
        (moving.moved, moving.isMoveUnconfirmed) = (nil, true)
        let warning = #""warning":"the server does not say that it has moved appointments""#
        #expect(self.text(moving).contains(warning))
    }

    @Test("contains what went wrong")
    func problems() {
        var problem = change
        problem.appointmentsError = "not listed"
        problem.isDifferentFromRequest = true
        problem.cacheError = Failure.cache(.insertion, reason: "full")
        let text = text(problem)
        #expect(text.contains(#""appointmentsError":"not listed""#))
        #expect(text.contains(#""warning":"the server has stored something different"#))
        #expect(text.contains(#""cacheError":""#) && text.contains("full"))
    }

    @Test("the question shows the version, each change, and the appointments, and pins the version")
    func question() throws {
        let confirmation = try #require(SalonChangeDetails.confirmation(of: change))
        #expect(
            confirmation.text == """
                Change this salon?
                Salon: Salon 1, Street 1
                ID: 00000000-0000-0000-0000-000000000001, version 3
                phone: 030 1234567 -> removed
                close_time: 22:30 -> 20:30
                lead_minutes: 60
                Appointments that no longer fit: 1
                Does not fit: 2024-10-20T21:00:00+00:00 -> 2024-10-20T22:00:00+01:00, +49 30 1234567, different local time, outside the hours
                """
        )
        #expect(confirmation.pinnedArguments.mapValues(\.description) == ["version": "3"])
    }

    @Test("the question before a creation pins version 0, and without a version nothing is pinned")
    func pins() throws {
        let created = SalonChange(outcome: .created, before: nil, after: Samples.salon())
        let creation = try #require(SalonChangeDetails.confirmation(of: created))
        #expect(creation.pinnedArguments.mapValues(\.description) == ["version": "0"])
        #expect(creation.details.contains("open_time: 09:30"))
        let deleted = SalonChange(outcome: .deleted, before: Samples.salon(), after: nil)
        let deletion = try #require(SalonChangeDetails.confirmation(of: deleted))
        #expect(deletion.question == "Delete this salon?" && deletion.pinnedArguments.isEmpty)
        let kept = SalonChange(outcome: .unchanged, before: before, after: before)
        #expect(SalonChangeDetails.confirmation(of: kept) == nil)
    }

    @Test("the question shows ten appointments, and says how many there are")
    func manyAppointments() throws {
        var many = change
        many.conflicts = Array(repeating: Self.conflict, count: 11)
        many.appointmentsError = "more\nthan that"
        let lines = try #require(SalonChangeDetails.confirmation(of: many)).details
        #expect(lines.count { $0.hasPrefix("Does not fit: ") } == 10)
        #expect(lines.contains("Appointments that no longer fit: 11"))
        #expect(lines.last == #"Not known: more\nthan that"#)
    }
}
