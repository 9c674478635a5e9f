/// The bookings of a salon with staff whose staff member is not known. Times must be passed in
/// ascending order.
///
/// Each of these bookings needs one person for its whole time. A chain is a sequence of bookings,
/// each of which overlaps an earlier one, so their times form one interval. A chain can be served
/// if, at every moment, there are as many people as bookings, counting only people who have no
/// other booking that overlaps the chain.
struct UnassignedBookings {
    /// The chains that overlap a time.
    struct Overlap {
        /// The time from the first start to the last end of the bookings that overlap the requested
        /// time directly, not only through their chain.
        let interval: Range<Timestamp>
        fileprivate let chains: ArraySlice<Chain>

        /// The time from the first start to the last end of the chains.
        var range: Range<Timestamp> {
            let (first, last) = (chains.first?.range ?? interval, chains.last?.range ?? interval)
            return first.lowerBound..<last.upperBound
        }

        /// The most people that the chains need at any moment.
        var maximumLoad: Int { chains.map(\.maximumLoad).max() ?? 0 }

        /// Whether a staff member has no booking that overlaps the chains.
        func isFree(_ id: String) -> Bool { !chains.contains { $0.busyStaff.contains(id) } }
    }

    fileprivate struct Chain {
        var range: Range<Timestamp>
        var maximumLoad = 0
        /// The staff members with bookings that overlap the range.
        var busyStaff: Set<String> = []
    }

    private var chains: [Chain] = []
    /// All bookings, ordered by their start.
    private let bookings: [Range<Timestamp>]
    /// The index of the first chain, and of the first booking, that has not ended.
    private var (firstChain, firstBooking) = (0, 0)
    /// The index of the first booking that starts after the times passed so far, and the latest end
    /// of the bookings before it.
    private var nextBooking = 0
    private var latestEnd = Timestamp(secondsSince1970: .min)

    /// Finds the bookings without a staff member in `busy`, and the staff members who are busy
    /// during them.
    init(in busy: [BusyInterval]) {
        let bookings = busy.filter { $0.staffID == nil && $0.start < $0.end }
            .map { $0.start..<$0.end }
            .sorted { $0.lowerBound < $1.lowerBound }
        self.bookings = bookings
        for booking in bookings {
            if let last = chains.last?.range, booking.lowerBound < last.upperBound {
                let end = max(last.upperBound, booking.upperBound)
                chains[chains.count - 1].range = last.lowerBound..<end
            } else {
                chains.append(Chain(range: booking))
            }
        }
        if chains.isEmpty { return }
        var load = LoadCurve(of: busy.lazy.filter { $0.staffID == nil })
        for index in chains.indices {
            chains[index].maximumLoad = load.maximum(in: chains[index].range)
        }
        addStaff(busy)
    }

    private mutating func addStaff(_ busy: [BusyInterval]) {
        var first = 0
        let known = busy.filter { $0.staffID != nil && $0.start < $0.end }
        for interval in known.sorted(by: { $0.start < $1.start }) {
            while first < chains.count, chains[first].range.upperBound <= interval.start {
                first += 1
            }
            var index = first
            while index < chains.count, chains[index].range.lowerBound < interval.end {
                interval.staffID.map { _ = chains[index].busyStaff.insert($0) }
                index += 1
            }
        }
    }

    /// The chains that overlap `interval`; nil if there are none.
    mutating func overlap(with interval: Range<Timestamp>) -> Overlap? {
        let (start, end) = (interval.lowerBound, interval.upperBound)
        while firstChain < chains.count, chains[firstChain].range.upperBound <= start {
            firstChain += 1
        }
        var chainEnd = firstChain
        while chainEnd < chains.count, chains[chainEnd].range.lowerBound < end { chainEnd += 1 }
        while firstBooking < bookings.count, bookings[firstBooking].upperBound <= start {
            firstBooking += 1
        }
        while nextBooking < bookings.count, bookings[nextBooking].lowerBound < end {
            latestEnd = max(latestEnd, bookings[nextBooking].upperBound)
            nextBooking += 1
        }
        guard firstBooking < nextBooking else { return nil }
        return Overlap(
            interval: bookings[firstBooking].lowerBound..<latestEnd,
            chains: chains[firstChain..<chainEnd]
        )
    }
}
