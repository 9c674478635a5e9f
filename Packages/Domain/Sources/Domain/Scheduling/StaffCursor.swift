/// Finds out whether a staff member is free at several times, which must be passed in ascending
/// order.
struct StaffCursor {
    let member: StaffMember
    /// The working hours; nil if they are the salon's.
    private var working: ArraySlice<Range<Timestamp>>?
    private var busy: ArraySlice<BusyInterval>
    private var busyUntil = Timestamp(secondsSince1970: .min)

    /// - Parameters:
    ///   - working: The working hours in order; nil if they are the salon's.
    ///   - busy: The intervals in which the person is taken, by their start.
    init(_ member: StaffMember, working: [Range<Timestamp>]?, busy: [BusyInterval]) {
        self.member = member
        self.working = working?[...]
        self.busy = busy[...]
    }

    /// Whether the person works from `start` to `end` without a break.
    mutating func isWorking(from start: Timestamp, to end: Timestamp) -> Bool {
        guard working != nil else { return true }
        while let first = working?.first, first.upperBound <= start { working?.removeFirst() }
        guard let first = working?.first else { return false }
        return first.lowerBound <= start && end <= first.upperBound
    }

    /// Whether an appointment takes a part of `interval`.
    mutating func isBusy(in interval: Range<Timestamp>) -> Bool {
        while let first = busy.first, first.start < interval.upperBound {
            busyUntil = max(busyUntil, first.end)
            busy.removeFirst()
        }
        return busyUntil > interval.lowerBound
    }
}
