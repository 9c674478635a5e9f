extension Requirement {
    /// The most grains that one transaction of a store takes, where each staff member or seat counts
    /// on its own. A store has a row for each of them, and other bookings wait for the transaction.
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

    /// The most seats that such an appointment can take wherever it starts, because of
    /// ``maximumRows``.
    public var maximumSeats: Int { Self.maximumRows / maximumGrains }

    /// The length in minutes, including buffers.
    public var takenMinutes: Int { bufferBefore + minutes + bufferAfter }

    /// The most grains that such an appointment can take: one more than its length if it does not
    /// start at the beginning of a grain.
    private var maximumGrains: Int {
        let grain = Int(TimePrecision.grainSeconds / 60)
        return (takenMinutes + grain - 1) / grain + 1
    }
}
