/// Finds the fewest appointments that must move because more is booked at some instant than a salon has.
///
/// The rest can take place: at a salon without staff, they never take more seats than there are. At a
/// salon with staff, everyone has one appointment at a time: an appointment with a person is theirs,
/// and one without a known person needs people who are free and work for its whole time. Of several
/// smallest sets of appointments, the result is always the same one.
///
/// The appointments are examined in the order of their starts. Wherever one does not fit, the search
/// continues with each appointment that could move instead. If all appointments take the same number
/// of seats, it suffices that the one that ends last moves. Otherwise the search is exact while it has
/// at most ``maximumStates`` possibilities at a time and ``maximumSteps`` in total, and near the optimum
/// after that.
struct Overbooking {
    /// An appointment that takes time.
    struct Item {
        /// The time that it takes, including buffers.
        var time: Range<Timestamp>
        /// The number of seats, or of people if it is not known who they are.
        var count: Int
        /// The id of its staff member; nil if it takes seats, or if its staff member is not known.
        var staffID: String?
        /// The ids of the staff members who work throughout the appointment, in the salon's order.
        var workers: [String] = []
        /// Whether it can move. One that has begun cannot.
        var canMove: Bool
    }

    /// The maximum number of possibilities that are examined at a time.
    static let maximumStates = 200
    /// The maximum number of possibilities that are examined in total before only one at a time is.
    static let maximumSteps = 100_000
    /// The maximum number of choices of people for one appointment after that.
    private static let fewChoices = 20

    /// What takes place at the start of an appointment, if those in `moved` are left out.
    fileprivate struct State {
        /// The appointments that take place, in the order of their starts, and each as often as it
        /// takes people.
        var active: [Active] = []
        var moved: [Int] = []
    }

    fileprivate struct Active: Hashable {
        var item: Int
        var end: Timestamp
        var seats = 1
        var staffID: String?
    }

    private let items: [Item]
    /// The number of seats; nil if the salon has staff.
    private let seats: Int?
    private var steps = 0

    /// - Parameters:
    ///   - items: The appointments, in any order.
    ///   - seats: The number of the salon's seats; nil if it has staff.
    init(of items: [Item], seats: Int?) {
        self.items = items
        self.seats = seats
    }

    /// The indexes of the fewest items that must move, in ascending order.
    mutating func smallestSet() -> [Int] {
        let order = relevantItems().sorted {
            let (one, other) = (items[$0].time, items[$1].time)
            return (one.lowerBound, one.upperBound, $0) < (other.lowerBound, other.upperBound, $1)
        }
        if let seats, let first = order.first {
            var load = LoadCurve(of: order.lazy.map(busy))
            if load.maximum(in: items[first].time.lowerBound..<Timestamp(secondsSince1970: .max))
                <= seats
            {
                return []
            }
            let count = items[first].count
            if order.allSatisfy({ items[$0].count == count }) {
                return latestEnding(order, capacity: seats / max(count, 1))
            }
        }
        var states = [State()]
        for index in order { states = next(index, states) }
        return states.first?.moved.sorted() ?? []
    }

    /// The items that may not fit: all that take seats if too many are taken at some instant, and those
    /// without a known staff member, those that overlap one of them, and those of one person that
    /// overlap each other.
    private func relevantItems() -> [Int] {
        let all = items.indices.filter { !items[$0].time.isEmpty && items[$0].count > 0 }
        guard seats == nil else { return all }
        var unknown = LoadCurve(of: all.lazy.filter { items[$0].staffID == nil }.map(busy))
        let order = all.sorted { items[$0].time.lowerBound < items[$1].time.lowerBound }
        var relevant = Set(order.filter { unknown.maximum(in: items[$0].time) > 0 })
        var latest: [String: Int] = [:]
        for index in order {
            guard let id = items[index].staffID else { continue }
            guard let last = latest[id] else {
                latest[id] = index
                continue
            }
            if items[last].time.overlaps(items[index].time) { relevant.formUnion([last, index]) }
            if items[index].time.upperBound > items[last].time.upperBound { latest[id] = index }
        }
        return Array(relevant)
    }

    private func busy(_ index: Int) -> BusyInterval {
        let time = items[index].time
        let count = items[index].count
        return BusyInterval(start: time.lowerBound, end: time.upperBound, seats: count)
    }

    /// The fewest items that must move so that at most `capacity` take place at a time: whenever there
    /// are more, the one that ends last.
    private func latestEnding(_ order: [Int], capacity: Int) -> [Int] {
        var (active, moved): ([Int], [Int]) = ([], [])
        for index in order {
            active.removeAll { items[$0].time.upperBound <= items[index].time.lowerBound }
            active.append(index)
            // What cannot move takes place in any case.
            while active.count > capacity,
                let last = active.indices.filter({ items[active[$0]].canMove }).max(by: {
                    (items[active[$0]].time.upperBound, active[$0])
                        < (items[active[$1]].time.upperBound, active[$1])
                })
            {
                moved.append(active.remove(at: last))
            }
        }
        return moved.sorted()
    }

    /// The best states after the start of an item, the one with the fewest moved items first.
    private mutating func next(_ index: Int, _ states: [State]) -> [State] {
        let start = items[index].time.lowerBound
        var best: [[Active]: [Int]] = [:]
        var found: [State] = []
        for var state in states {
            state.active.removeAll { $0.end <= start }
            for following in placements(of: index, in: state) {
                steps += 1
                if let known = best[following.active], known.count <= following.moved.count {
                    continue
                }
                best[following.active] = following.moved
                found.append(following)
            }
        }
        found.removeAll { best[$0.active] != $0.moved }
        let ranked = found.enumerated().sorted {
            ($0.element.moved.count, $0.element.remaining(since: start), $0.offset)
                < ($1.element.moved.count, $1.element.remaining(since: start), $1.offset)
        }
        return ranked.prefix(isExhausted ? 1 : Self.maximumStates).map(\.element)
    }

    /// Whether the rest is only searched for a good result.
    private var isExhausted: Bool { steps >= Self.maximumSteps }

    /// The states in which an item takes place, perhaps instead of others, or moves.
    private func placements(of index: Int, in state: State) -> [State] {
        let item = items[index]
        if let seats { return placements(of: index, onSeats: seats, in: state) }
        let choices = item.staffID.map { [[$0]] } ?? choices(for: item, in: state)
        var states = choices.compactMap { people in
            freeing(people, in: state)?.adding(index, item, people)
        }
        // If it takes place without others moving, that is at least as good as its own move.
        if item.canMove, !states.contains(where: { $0.moved.count == state.moved.count }) {
            states.append(state.moving(index))
        }
        // What cannot move takes the time of its person in any case.
        return states.isEmpty
            ? [state.adding(index, item, [item.staffID].compactMap(\.self))] : states
    }

    /// The state without the items that take the time of these people; nil if one of them cannot
    /// move.
    private func freeing(_ people: [String], in state: State) -> State? {
        let taking = state.active.filter { active in people.contains { $0 == active.staffID } }
        var state = state
        for item in Set(taking.map(\.item)).sorted() {
            guard items[item].canMove else { return nil }
            state = state.moving(item)
        }
        return state
    }

    private func placements(of index: Int, onSeats seats: Int, in state: State) -> [State] {
        let item = items[index]
        var (states, seen): ([State], Set<[Active]>) = ([], [])
        var pending = [state]
        while let state = pending.popLast(), states.count < Self.maximumStates {
            let others = state.active.map(\.item).filter { items[$0].canMove }
            let taken = state.active.reduce(0) { $0 + $1.seats }
            if taken <= seats - item.count || others.isEmpty && !item.canMove {
                states.append(state.adding(index, item, []))
                continue
            }
            for other in others {
                let freed = state.moving(other)
                if seen.insert(freed.active).inserted { pending.append(freed) }
            }
        }
        let fits = states.contains { $0.moved.count == state.moved.count }
        return item.canMove && !fits ? states + [state.moving(index)] : states
    }

    /// The people who can serve an appointment, beginning with those who are free.
    private func choices(for item: Item, in state: State) -> [[String]] {
        let taken = Set(state.active.compactMap(\.staffID))
        let free = item.workers.filter { !taken.contains($0) }
        let people = free + item.workers.filter(taken.contains)
        guard item.count <= people.count else { return [] }
        let limit = isExhausted ? Self.fewChoices : Self.maximumStates
        var choices: [[Int]] = [[]]
        for _ in 0..<item.count {
            let longer = choices.lazy.flatMap { chosen in
                let first = (chosen.last ?? -1) + 1
                return (first..<max(people.count, first)).map { chosen + [$0] }
            }
            choices = Array(longer.prefix(limit))
        }
        return choices.map { $0.map { people[$0] } }
    }
}

extension Overbooking.State {
    /// This state with an item, which takes these people, or seats if there are none.
    fileprivate func adding(_ index: Int, _ item: Overbooking.Item, _ people: [String]) -> Self {
        var state = self
        let end = item.time.upperBound
        if people.isEmpty {
            state.active.append(.init(item: index, end: end, seats: item.count))
        } else {
            state.active += people.map { .init(item: index, end: end, staffID: $0) }
        }
        return state
    }

    /// This state without an item, which moves.
    fileprivate func moving(_ index: Int) -> Self {
        var state = self
        state.active.removeAll { $0.item == index }
        state.moved.append(index)
        return state
    }

    /// The seconds until everything ends that takes place now, added up.
    fileprivate func remaining(since start: Timestamp) -> Int64 {
        active.reduce(0) { $0 + min($1.end.seconds(since: start), 10_000_000) }
    }
}
