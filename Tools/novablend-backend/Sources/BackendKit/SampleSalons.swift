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
            $0.services = parisServices
        },
        salon(3, "Fringe Benefits", "81 Exmouth Market, London", nil, 800, 1_400),
        salon(4, "Peluquería Sol", "Calle de Hortaleza 40, Madrid", "+34 915550104", 1_000, 2_000) {
            $0.timeZone = ZoneID("Europe/Madrid")
            $0.slotMinutes = 30
            $0.weekly = closedOnSunday
            $0.exceptions = holidays
            $0.services = madridServices
            $0.staff = madridStaff
        },
        salon(5, "Night Owl Barbers", "3 Temple Bar, Dublin", "+353 1 5550105", 1_800, 200) {
            $0.timeZone = ZoneID("Europe/Dublin")
            $0.slotMinutes = 30
            $0.seats = 3
        },
        salon(6, "Æther & Øl", "Jægersborggade 7, København", "+45 55501060", 900, 1_730) {
            $0.aliases = ["Copenhagen"]
            $0.timeZone = ZoneID("Europe/Copenhagen")
            $0.slotMinutes = 45
        },
    ]

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
            hours: hours(opens, closes)
        )
        set(&salon)
        return salon
    }

    /// The hours from one time of day to another, such as 930 for 09:30.
    private static func hours(_ opens: Int, _ closes: Int) -> OpeningHours {
        OpeningHours(
            opens: TimeOfDay(minuteOfDay: opens / 100 * 60 + opens % 100),
            closes: TimeOfDay(minuteOfDay: closes / 100 * 60 + closes % 100)
        )
    }
}

// MARK: Atelier Nova

extension SampleSalons {
    private static let parisServices = [
        Service(
            id: "cut",
            name: "Cut",
            minutes: 45,
            bufferAfter: 15,
            price: Price(amount: 4_500, currency: "EUR")
        ),
        Service(
            id: "color",
            name: "Color",
            minutes: 120,
            bufferBefore: 10,
            bufferAfter: 20,
            price: Price(amount: 11_000, currency: "EUR")
        ),
    ]
}

// MARK: Peluquería Sol

extension SampleSalons {
    private static let closedOnSunday = WeeklyHours([
        .monday: wholeDay, .tuesday: wholeDay, .wednesday: wholeDay, .thursday: wholeDay,
        .friday: wholeDay, .saturday: morning,
    ])
    private static let morning = [hours(1_000, 1_400)]
    private static let afternoon = [hours(1_630, 2_000)]
    private static let wholeDay = morning + afternoon

    /// Closed on Christmas Day and New Year's Day, with shorter hours on the days before, and a
    /// longer break on the day before Epiphany.
    private static let holidays: [OpeningException] = (2_026...2_027).flatMap { year in
        [
            exception(year, 12, 24, [hours(1_000, 1_300)]),
            exception(year, 12, 25, []),
            exception(year, 12, 31, [hours(1_000, 1_300)]),
            exception(year + 1, 1, 1, []),
            exception(year + 1, 1, 5, [hours(1_000, 1_300), hours(1_800, 2_000)]),
        ].compactMap(\.self)
    }

    private static func exception(
        _ year: Int,
        _ month: Int,
        _ day: Int,
        _ hours: [OpeningHours]
    ) -> OpeningException? {
        CalendarDate(year: year, month: month, day: day)
            .map { OpeningException(date: $0, hours: hours) }
    }

    private static let madridServices = [
        Service(
            id: "cut",
            name: "Cut",
            minutes: 30,
            price: Price(amount: 1_800, currency: "EUR")
        ),
        Service(
            id: "color",
            name: "Color",
            minutes: 90,
            bufferBefore: 5,
            bufferAfter: 10,
            price: Price(amount: 5_200, currency: "EUR")
        ),
        // The price depends on the hair.
        Service(id: "style", name: "Updo", minutes: 60, bufferAfter: 15),
    ]

    private static let madridStaff = [
        StaffMember(id: "ana", name: "Ana"),
        // Works only in the afternoon, except on Saturday.
        StaffMember(
            id: "bruno",
            name: "Bruno",
            services: ["cut"],
            weekly: WeeklyHours([
                .tuesday: afternoon, .wednesday: afternoon, .thursday: afternoon,
                .friday: afternoon, .saturday: morning,
            ])
        ),
        StaffMember(
            id: "carmen",
            name: "Carmen",
            services: ["cut", "color"],
            exceptions: [
                exception(2_026, 12, 28, []), exception(2_026, 12, 29, morning),
            ].compactMap(\.self)
        ),
    ]
}
