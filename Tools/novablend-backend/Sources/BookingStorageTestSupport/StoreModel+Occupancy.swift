import BookingStorage
import Domain

extension StoreModel {
    /// The grains from now on that appointments and holds occupy. Seats have no numbers.
    var occupiedGrains: [OccupiedGrain] {
        var grains: [OccupiedGrain] = []
        for reservation in reservations {
            let interval = reservation.interval
            let last = (interval.end.secondsSince1970 - 1) / 300
            let first = max(interval.start.secondsSince1970, now.secondsSince1970) / 300
            guard first <= last else { continue }
            for grain in first...last {
                let occupied = OccupiedGrain(
                    salon: reservation.booking.salonID.description,
                    grain: grain,
                    resource: interval.staffID.map { "staff \($0)" } ?? "seat",
                    owner: reservation.id
                )
                grains += Array(repeating: occupied, count: interval.seats)
            }
        }
        return grains
    }
}
