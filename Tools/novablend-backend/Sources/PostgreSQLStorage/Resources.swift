import Domain

/// The staff member or the seats that an appointment takes.
struct Resources {
    /// How many of `names` the appointment takes.
    let count: Int
    /// The names of the staff member or the seats in the database. The prefixes distinguish staff
    /// members from seats.
    let names: [String]

    init(_ allocation: Allocation, for requirement: Requirement) {
        var total = 1
        if case .seats(_, let seats) = requirement.resources { total = seats }
        self.init(allocation, ofSeats: total)
    }

    /// - Parameter seats: The number of all seats.
    init(_ allocation: Allocation, ofSeats seats: Int) {
        switch allocation {
        case .staff(let id):
            count = 1
            names = ["staff \(id)"]
        case .seats(let count):
            self.count = count
            let total = max(count, seats)
            names = (0..<total).map { "seat \($0 + 1)" }
        }
    }
}
