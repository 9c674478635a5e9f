public import Domain

/// Valid sample models for tests.
public enum Samples {
    /// A caller.
    public static let caller = Caller(credential: "none")

    /// The UUID `00000000-0000-0000-0000-0000000000NN`.
    public static func salonID(_ number: UInt8 = 1) -> SalonID {
        SalonID(high: 0, low: UInt64(number))
    }

    /// A salon that is open from 09:30 to 22:30, with appointments of 30 minutes.
    public static func salon(_ number: UInt8 = 1, phone: String? = "030 1234567") -> Salon {
        Salon(
            id: salonID(number),
            name: "Salon \(number)",
            location: "Street \(number)",
            phone: phone,
            hours: OpeningHours(
                opens: TimeOfDay(minuteOfDay: 570),
                closes: TimeOfDay(minuteOfDay: 1_350)
            ),
            slotMinutes: 30
        )
    }

    /// A booking `hours` hours after 2024-10-20T12:00:00Z.
    public static func booking(
        _ number: UInt8 = 1,
        hours: Int64 = 0,
        phone: String = "+49 30 1234567"
    ) -> BookingRequest {
        BookingRequest(
            salonID: salonID(number),
            time: AppointmentTime(
                instant: Timestamp(secondsSince1970: 1_729_425_600 + hours * 3_600)
            ),
            phone: phone,
            email: "ada@example.com",
            note: "a note"
        )
    }

    /// An appointment for ``booking(_:hours:phone:)``.
    public static func appointment(_ number: UInt8 = 1, hours: Int64 = 0) -> Appointment {
        Appointment(booking: booking(number, hours: hours), id: "a\(number)-\(hours)", version: 1)
    }

    /// An image of the feed.
    public static func feedImage(_ number: UInt8 = 1) -> FeedImage {
        FeedImage(id: salonID(number), description: "Image \(number)", url: imageURL(number))
    }

    /// A movie.
    public static func movie(_ number: UInt8 = 1) -> Movie {
        Movie(id: "\(number)", title: "Movie \(number)")
    }

    /// An item on the menu.
    public static func menuItem(_ number: UInt8 = 1) -> MenuItem {
        MenuItem(id: salonID(number), name: "Burger \(number)")
    }

    /// The URL of an image.
    public static func imageURL(_ number: UInt8 = 1) -> ImageURL {
        guard let url = ImageURL("https://images.example/\(number).png") else {
            fatalError("the sample is not a URL")
        }
        return url
    }
}
