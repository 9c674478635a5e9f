extension Schedule {
    /// The intervals in which the salon is open and `member` works, or, if `member` is nil, in which
    /// the salon is open: those that contain at least one instant of the range, in order.
    public func workingTimes(
        of member: StaffMember?,
        from: Timestamp,
        to: Timestamp
    ) -> [Range<Timestamp>] {
        let open = openingTimes.intervals(from: from, to: to)
        guard let member else { return open }
        let times = OpeningTimes(salon: salon, member: member, clock: clock)
        let working = times.intervals(from: from, to: to)
        return open.flatMap { interval in
            working.filter { $0.overlaps(interval) }.map { $0.clamped(to: interval) }
        }
    }
}
