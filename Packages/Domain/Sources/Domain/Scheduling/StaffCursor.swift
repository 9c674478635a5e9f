/// Finds out whether a staff member is free at several times, which must be passed in ascending
/// order.
struct StaffCursor {
    let member: StaffMember
    /// The working hours; nil if they are the salon's.
    private let working: [Range<Timestamp>]?
    private let busy: [BusyInterval]
    /// The index of the first working hours that have not ended.
    private var nextWorking = 0
    /// The index of the first busy interval that is not yet included in `busyUntil`.
    private var nextBusy = 0
    private var busyUntil = Timestamp(secondsSince1970: .min)

    /// - Parameters:
    ///   - working: The working hours in order; nil if they are the salon's.
    ///   - busy: The intervals in which the person is taken, ordered by start.
    init(_ member: StaffMember, working: [Range<Timestamp>]?, busy: [BusyInterval]) {
        self.member = member
        self.working = working
        self.busy = busy
    }

    /// Whether the person works from `start` to `end` without a break.
    mutating func isWorking(from start: Timestamp, to end: Timestamp) -> Bool {
        guard let working else { return true }
        while nextWorking < working.count, working[nextWorking].upperBound <= start {
            nextWorking += 1
        }
        guard nextWorking < working.count else { return false }
        let hours = working[nextWorking]
        return hours.lowerBound <= start && end <= hours.upperBound
    }

    /// Whether the person works throughout `time` without a break. Unlike the other methods, this
    /// one accepts times in any order.
    func works(throughout time: Range<Timestamp>) -> Bool {
        working?.contains { $0.lowerBound <= time.lowerBound && time.upperBound <= $0.upperBound }
            ?? true
    }

    /// Whether an appointment takes a part of `interval`.
    mutating func isBusy(in interval: Range<Timestamp>) -> Bool {
        while nextBusy < busy.count, busy[nextBusy].start < interval.upperBound {
            busyUntil = max(busyUntil, busy[nextBusy].end)
            nextBusy += 1
        }
        return busyUntil > interval.lowerBound
    }
}
