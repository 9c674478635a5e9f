import Domain

/// The staff member or the seats that an appointment takes.
struct Resources {
    /// How many it takes of `names`.
    let count: Int
    /// Their names in the database. The prefixes distinguish staff members from seats.
    let names: [String]

    init(_ allocation: Allocation, for requirement: Requirement) {
        switch allocation {
        case .staff(let id):
            count = 1
            names = ["staff \(id)"]
        case .seats(let count):
            self.count = count
            var total = count
            if case .seats(_, let seats) = requirement.resources { total = seats }
            names = (0..<total).map { "seat \($0 + 1)" }
        }
    }
}
