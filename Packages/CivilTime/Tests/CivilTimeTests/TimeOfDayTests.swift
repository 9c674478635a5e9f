import CivilTime
import Testing

@Suite("Times of day")
struct TimeOfDayTests {
    @Test(
        "hours are 0 to 23 and minutes 0 to 59",
        arguments: [(0, 0, 0), (0, 59, 59), (23, 0, 1_380), (23, 59, 1_439)]
    )
    func valid(hour: Int, minute: Int, minutes: Int) throws {
        let time = try #require(TimeOfDay(hour: hour, minute: minute))
        #expect(time.minutes == minutes && time.hour == hour && time.minute == minute)
    }

    @Test("anything else is nil", arguments: [(24, 0), (-1, 0), (0, 60), (0, -1)])
    func invalid(hour: Int, minute: Int) {
        #expect(TimeOfDay(hour: hour, minute: minute) == nil)
    }

    @Test(
        "minutes past midnight wrap into one day",
        arguments: [(0, 0), (1_439, 1_439), (1_440, 0), (-1, 1_439), (-1_440, 0), (2_881, 1)]
    )
    func wrapping(given: Int, minutes: Int) {
        #expect(TimeOfDay(minuteOfDay: given).minutes == minutes)
    }

    @Test(
        "a time is written with two digits each",
        arguments: [(0, "00:00"), (569, "09:29"), (609, "10:09"), (610, "10:10")]
    )
    func written(minutes: Int, text: String) {
        #expect(TimeOfDay(minuteOfDay: minutes).description == text)
    }

    @Test("a local time has the date and time of its seconds, also before 1970")
    func localTime() {
        let local = LocalTime(localSeconds: -1)
        #expect(local.date.parts == (1969, 12, 31) && local.secondOfDay == 86_399)
        #expect(local.timeOfDay.description == "23:59")
        #expect(LocalTime(localSeconds: 0).date.parts == (1970, 1, 1))
        #expect(LocalTime(localSeconds: 86_400).date.parts == (1970, 1, 2))
        let shifted = LocalTime(Timestamp(secondsSince1970: 100), offsetSeconds: -160)
        #expect(shifted.localSeconds == -60)
    }

    @Test("earlier times sort first")
    func order() {
        let (early, late) = (TimeOfDay(minuteOfDay: 1), TimeOfDay(minuteOfDay: 2))
        #expect(early < late && !(late < early) && !(early < early))
        let first = LocalTime(localSeconds: 1)
        #expect(first < LocalTime(localSeconds: 2) && !(first < first))
        let instant = Timestamp(secondsSince1970: 1)
        #expect(instant < Timestamp(secondsSince1970: 2) && !(instant < instant))
    }
}
