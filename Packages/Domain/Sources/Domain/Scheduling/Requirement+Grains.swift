extension Requirement {
    /// The maximum number of grains that one transaction of a store takes, counted for each staff
    /// member or seat. A store writes a row for each grain of each, and other bookings wait for the
    /// transaction.
    public static let maximumRows = 2_000

    /// What the longest appointment of a salon needs if it takes all seats, or one staff member.
    public static func largest(at salon: Salon) -> Requirement {
        let lengths = salon.services.map { Requirement(service: $0, at: salon, .grains) }
        var largest = lengths.reduce(Requirement(service: nil, at: salon, .grains)) {
            longest,
            next in
            next.maximumGrains > longest.maximumGrains ? next : longest
        }
        if case .seats(_, let total) = largest.resources {
            largest.resources = .seats(count: total, total: total)
        }
        return largest
    }

    /// The maximum number of seats that an appointment of this length can take without exceeding
    /// ``maximumRows``, whenever it starts.
    public var maximumSeats: Int { Self.maximumRows / maximumGrains }

    /// The length in minutes, including buffers.
    public var takenMinutes: Int { bufferBefore + minutes + bufferAfter }

    /// The maximum number of grains that an appointment of this length can touch. It touches one
    /// more than its length if it does not start at the beginning of a grain.
    private var maximumGrains: Int {
        let grain = Int(TimePrecision.grainSeconds / 60)
        return (takenMinutes + grain - 1) / grain + 1
    }
}
