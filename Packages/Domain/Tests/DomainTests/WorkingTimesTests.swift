import Domain
import DomainTestSupport
import Testing

@Suite("Working times")
struct WorkingTimesTests {
    /// Sunday, 2024-10-20, 00:00 UTC.
    private let midnight = Samples.booking().time.advanced(byMinutes: -720)

    private func hours(_ opens: Int, _ closes: Int) -> OpeningHours {
        OpeningHours(
            opens: TimeOfDay(minuteOfDay: opens * 60),
            closes: TimeOfDay(minuteOfDay: closes * 60)
        )
    }

    /// The working times of Sunday and Monday, in hours since the beginning of Sunday.
    private func times(of member: StaffMember?) -> [Range<Int>] {
        var salon = Samples.salon()
        salon.weekly = WeeklyHours([
            .sunday: [hours(9, 12), hours(14, 18)], .monday: [hours(9, 12)],
        ])
        let schedule = Schedule(of: salon, on: .offset(minutes: 0))
        let times = schedule.workingTimes(
            of: member,
            from: midnight.instant,
            to: midnight.advanced(byMinutes: 2_880).instant
        )
        func hour(_ instant: Timestamp) -> Int {
            Int(instant.seconds(since: midnight.instant) / 3_600)
        }
        return times.map { hour($0.lowerBound)..<hour($0.upperBound) }
    }

    @Test("are the salon's hours without a staff member, or if the staff member states none")
    func salon() {
        #expect(times(of: nil) == [9..<12, 14..<18, 33..<36])
        #expect(times(of: StaffMember(id: "a", name: "Ana")) == times(of: nil))
    }

    @Test("are the staff member's hours while the salon is open")
    func member() {
        let weekly = WeeklyHours([
            .sunday: [hours(11, 15), hours(17, 20)], .monday: [hours(12, 18)],
            .tuesday: [hours(9, 10)],
        ])
        let member = StaffMember(id: "a", name: "Ana", weekly: weekly)
        #expect(times(of: member) == [11..<12, 14..<15, 17..<18])
    }
}
