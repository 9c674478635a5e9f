import CivilTime

guard let leapDay = CalendarDate(year: 2024, month: 2, day: 29)
else { preconditionFailure("2024 is a leap year") }
precondition(leapDay.weekday == .thursday && leapDay.advanced(byDays: 1).parts.month == 3)
