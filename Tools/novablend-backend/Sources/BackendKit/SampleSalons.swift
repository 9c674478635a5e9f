public import Domain

/// The salons that the backend ships, so that a newcomer has something to list.
public enum SampleSalons {
    /// All of them, in the order in which they are listed.
    public static let all: [Salon] = [
        salon(1, "Scherenschnitt", "Torstraße 12, Berlin", "+49 30 5550101", 930, 2_230),
        salon(2, "Atelier Nova", "12 Rue des Martyrs, Paris", "+33 1 55501020", 1_030, 2_030),
        salon(3, "Fringe Benefits", "81 Exmouth Market, London", nil, 800, 1_400),
        salon(4, "Peluquería Sol", "Calle de Hortaleza 40, Madrid", "+34 915550104", 1_100, 1_600),
        salon(5, "Night Owl Barbers", "3 Temple Bar, Dublin", "+353 1 5550105", 1_800, 200),
        salon(6, "Æther & Øl", "Jægersborggade 7, København", "+45 55501060", 900, 1_730),
    ]

    private static func salon(
        _ number: UInt64,
        _ name: String,
        _ location: String,
        _ phone: String?,
        _ opens: Int,
        _ closes: Int
    ) -> Salon {
        Salon(
            id: SalonID(high: 0x5A10_0000_0000_4000, low: 0x8000_0000_0000_0000 | number),
            name: name,
            location: location,
            phone: phone,
            hours: OpeningHours(
                opens: TimeOfDay(minuteOfDay: opens / 100 * 60 + opens % 100),
                closes: TimeOfDay(minuteOfDay: closes / 100 * 60 + closes % 100)
            )
        )
    }
}
