import CivilTime

// The clock moves from 02:00 to 03:00 on 2026-03-29.
let spring = Timestamp(secondsSince1970: 1_774_746_000)
guard
    let rules = ZoneRules(
        firstOffsetSeconds: 3_600,
        transitions: [.init(spring, offsetSeconds: 7_200)],
        tail: nil
    ),
    let date = CalendarDate(year: 2026, month: 3, day: 29)  // nil for an invalid date
else { preconditionFailure("the rules and the date are valid") }

let local = LocalTime(date, TimeOfDay(minuteOfDay: 150))  // 2026-03-29 02:30, without a zone
switch rules.reading(of: local) {
case .unique(let instant):
    print(instant.secondsSince1970)
case .gap(let before, let after, let transition):
    print("skipped at \(transition): \(before) or \(after)?")
case .ambiguous(let earlier, let later):
    print("it occurs twice: \(earlier) and \(later)")
}
precondition(rules.reading(of: local).first == spring && date.weekday == .sunday)
