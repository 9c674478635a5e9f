public import Domain

/// The salons that the backend ships. Together they use every rule that a salon can have.
public enum SampleSalons {
    /// All sample salons, in the order in which they are served.
    public static let all: [Salon] = [
        salon(1, "Scherenschnitt", "Torstraße 12, Berlin", "+49 30 5550101", 930, 2_230),
        salon(2, "Atelier Nova", "12 Rue des Martyrs, Paris", "+33 1 55501020", 1_030, 2_030) {
            $0.timeZone = ZoneID("Europe/Paris")
            $0.slotMinutes = 60
            $0.leadMinutes = 120
            $0.furthestDays = 90
        },
        salon(3, "Fringe Benefits", "81 Exmouth Market, London", nil, 800, 1_400),
        salon(4, "Peluquería Sol", "Calle de Hortaleza 40, Madrid", "+34 915550104", 1_100, 1_600) {
            $0.timeZone = ZoneID("Europe/Madrid")
            $0.slotMinutes = 30
            $0.exceptions = holidays
        },
        salon(5, "Night Owl Barbers", "3 Temple Bar, Dublin", "+353 1 5550105", 1_800, 200) {
            $0.timeZone = ZoneID("Europe/Dublin")
            $0.slotMinutes = 30
        },
        salon(6, "Æther & Øl", "Jægersborggade 7, København", "+45 55501060", 900, 1_730) {
            $0.timeZone = ZoneID("Europe/Copenhagen")
            $0.slotMinutes = 45
        },
    ]

    /// Closed on Christmas Day and New Year's Day, and open only in the morning on the day before.
    private static let holidays: [OpeningException] = (2_026...2_027).flatMap { year in
        let days = [(year, 12, 25), (year + 1, 1, 1)]
        let eves = [(year, 12, 24), (year, 12, 31)]
        let morning = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 10 * 60),
            closes: TimeOfDay(minuteOfDay: 13 * 60)
        )
        return days.compactMap { exception($0, nil) } + eves.compactMap { exception($0, morning) }
    }

    private static func exception(
        _ day: (year: Int, month: Int, day: Int),
        _ hours: OpeningHours?
    ) -> OpeningException? {
        CalendarDate(year: day.year, month: day.month, day: day.day)
            .map { OpeningException(date: $0, hours: hours.map { [$0] } ?? []) }
    }

    private static func salon(
        _ number: UInt64,
        _ name: String,
        _ location: String,
        _ phone: String?,
        _ opens: Int,
        _ closes: Int,
        _ set: (inout Salon) -> Void = { _ in }
    ) -> Salon {
        var salon = Salon(
            id: SalonID(high: 0x5A10_0000_0000_4000, low: 0x8000_0000_0000_0000 | number),
            name: name,
            location: location,
            phone: phone,
            hours: OpeningHours(
                opens: TimeOfDay(minuteOfDay: opens / 100 * 60 + opens % 100),
                closes: TimeOfDay(minuteOfDay: closes / 100 * 60 + closes % 100)
            )
        )
        set(&salon)
        return salon
    }
}
