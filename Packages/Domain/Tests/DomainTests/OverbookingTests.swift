import DomainTestSupport
import Testing

@testable import Domain

@Suite("The fewest appointments that must move because a salon has too few people or seats")
struct OverbookingTests {
    private func item(
        _ hours: Range<Int64>,
        count: Int = 1,
        staff: String? = nil,
        workers: [String] = [],
        canMove: Bool = true
    ) -> Overbooking.Item {
        func instant(_ hour: Int64) -> Timestamp { Timestamp(secondsSince1970: hour * 3_600) }
        return Overbooking.Item(
            time: instant(hours.lowerBound)..<instant(hours.upperBound),
            count: count,
            staffID: staff,
            workers: workers,
            canMove: canMove
        )
    }

    private func moved(_ items: [Overbooking.Item], seats: Int?) -> [Int] {
        var overbooking = Overbooking(of: items, seats: seats)
        return overbooking.smallestSet()
    }

    @Test("are those that exceed the seats, and the ones that end last")
    func seats() {
        let four = [item(9..<10), item(9..<10), item(9..<12), item(9..<11)]
        #expect(moved(four, seats: 4) == [])
        #expect(moved(four, seats: 3) == [2])
        #expect(moved(four, seats: 1).count == 3)
        // One long appointment overlaps three short ones, which follow each other.
        let long = [item(9..<12), item(9..<10), item(10..<11), item(11..<12)]
        #expect(moved(long, seats: 1) == [0])
        #expect(moved([item(9..<10), item(10..<11)], seats: 1) == [])
    }

    @Test("include each one that alone takes more seats than there are")
    func large() {
        #expect(moved([item(9..<10, count: 4)], seats: 2) == [0])
        #expect(moved([item(9..<10, count: 4), item(9..<10)], seats: 2) == [0])
        #expect(moved([item(9..<10, count: .max), item(9..<10, count: .max)], seats: 2) == [0, 1])
    }

    @Test("are the few large ones rather than the many small ones")
    func mixed() {
        let items = [item(9..<12, count: 2), item(9..<10), item(9..<10), item(10..<11, count: 2)]
        #expect(moved(items, seats: 2) == [0])
    }

    @Test("cannot be those that have begun")
    func begun() {
        let items = [item(9..<12, canMove: false), item(9..<10), item(11..<13)]
        #expect(moved(items, seats: 1) == [1, 2])
        #expect(
            moved([item(9..<12, canMove: false), item(9..<12, canMove: false)], seats: 1) == []
        )
        let staffed = [
            item(9..<12, staff: "ana", canMove: false), item(10..<11, staff: "ana"),
            item(11..<13, workers: ["ana"]), item(9..<13, workers: ["ana", "ben"]),
        ]
        #expect(moved(staffed, seats: nil) == [1, 2])
    }

    @Test("are those for whom no one is left who works for the whole time")
    func people() {
        let both = ["ana", "ben"]
        let four = (0..<4).map { _ in item(9..<10, workers: ["ana"]) }
        #expect(moved(four, seats: nil).count == 3)
        #expect(moved([item(9..<10, workers: [])], seats: nil) == [0])
        // At every instant there are enough people, but no one is free for the whole of the last.
        let items = [
            item(9..<10, staff: "ana"), item(10..<11, staff: "ben"), item(9..<11, workers: both),
        ]
        #expect(moved(items, seats: nil) == [2])
        // Ben must take the first one, because only Ana can take the second one.
        let choice = [item(9..<11, workers: both), item(10..<12, workers: ["ana"])]
        #expect(moved(choice, seats: nil) == [])
        // A booking of two seats takes two people.
        #expect(moved([item(9..<10, count: 2, workers: both)], seats: nil) == [])
        #expect(moved([item(9..<10, count: 2, workers: ["ana"])], seats: nil) == [0])
        // The times of two appointments of the same person overlap.
        #expect(
            moved([item(9..<11, staff: "ana"), item(10..<12, staff: "ana")], seats: nil).count == 1
        )
        #expect(moved([item(9..<10, staff: "ana"), item(10..<11, staff: "ana")], seats: nil) == [])
    }

    @Test("take nothing if they have no length")
    func empty() {
        #expect(moved([item(9..<9), item(9..<9), item(8..<10)], seats: 1) == [])
        #expect(moved([], seats: 1) == [] && moved([], seats: nil) == [])
    }

    /// Whether all items but those in `moved` can take place, tried by brute force.
    private func fits(_ items: [Overbooking.Item], without moved: Set<Int>, seats: Int?) -> Bool {
        let kept = items.indices.filter { !moved.contains($0) }
        if let seats {
            return (0..<Int64(24)).allSatisfy { hour in
                let instant = Timestamp(secondsSince1970: hour * 3_600)
                let taken = kept.filter { items[$0].time.contains(instant) }
                return taken.reduce(0) { $0 + items[$1].count } <= seats
            }
        }
        var taken: [String: [Range<Timestamp>]] = [:]
        for index in kept {
            guard let id = items[index].staffID else { continue }
            if taken[id, default: []].contains(where: { $0.overlaps(items[index].time) }) {
                return false
            }
            taken[id, default: []].append(items[index].time)
        }
        /// Serves the items from `position` on, each person of a booking one after the other.
        func serve(_ position: Int, _ rest: Int, _ taken: [String: [Range<Timestamp>]]) -> Bool {
            guard position < kept.count else { return true }
            let item = items[kept[position]]
            if item.staffID != nil { return serve(position + 1, -1, taken) }
            if rest < 0 { return serve(position, item.count, taken) }
            if rest == 0 { return serve(position + 1, -1, taken) }
            return item.workers.contains { id in
                if taken[id, default: []].contains(where: { $0.overlaps(item.time) }) {
                    return false
                }
                var next = taken
                next[id, default: []].append(item.time)
                return serve(position, rest - 1, next)
            }
        }
        return serve(0, -1, taken)
    }

    private func generated(seed: UInt64, isStaffed: Bool) -> (
        items: [Overbooking.Item], seats: Int?
    ) {
        var random = RandomNumbers(seed: seed)
        let people = Array(["ana", "ben", "cleo"].prefix(random.number(1...3)))
        let areMixed = random.isTrue(percent: 60)
        let items = (0..<random.number(1...8)).map { _ in
            let start = Int64(random.number(0...9))
            let workers = people.filter { _ in random.isTrue(percent: 75) }
            let isAssigned = isStaffed && random.isTrue(percent: 40)
            return item(
                start..<start + Int64(random.number(1...5)),
                count: areMixed && !isAssigned ? random.number(1...(isStaffed ? 2 : 4)) : 1,
                staff: isAssigned ? random.element(people) : nil,
                workers: isStaffed && !isAssigned ? workers : []
            )
        }
        return (items, isStaffed ? nil : random.number(1...4))
    }

    @Test(
        "are as few as trying all sets finds, and without them everything fits",
        arguments: 0..<400
    )
    func bruteForce(seed: Int) {
        let (items, seats) = generated(seed: UInt64(seed), isStaffed: seed % 2 == 0)
        let found = moved(items, seats: seats)
        #expect(fits(items, without: Set(found), seats: seats), "\(items)")
        let fewest = (0..<1 << items.count).map { bits in
            Set(items.indices.filter { bits >> $0 & 1 == 1 })
        }.filter { fits(items, without: $0, seats: seats) }.map(\.count).min()
        #expect(found.count == fewest, "\(items) \(String(describing: seats))")
    }

    @Test("do not depend on the order of the appointments", arguments: 0..<20)
    func order(seed: Int) {
        let (items, seats) = generated(seed: UInt64(seed), isStaffed: seed % 2 == 0)
        let count = moved(items, seats: seats).count
        #expect(moved(items.reversed(), seats: seats).count == count)
    }

    @Test(
        "are found for hundreds of bookings that overlap in many ways, without those the rest fits"
    )
    func many() {
        var random = RandomNumbers(seed: 1)
        let people = (0..<10).map { "p\($0)" }
        for isStaffed in [false, true] {
            let items = (0..<500).map { _ in
                let start = Int64(random.number(0...250))
                return item(
                    start..<start + Int64(random.number(1...6)),
                    count: random.number(1...3),
                    workers: isStaffed ? people : []
                )
            }
            let found = Set(moved(items, seats: isStaffed ? nil : 10))
            let kept = items.indices.filter { !found.contains($0) }.map { items[$0] }
            var load = LoadCurve(
                of: kept.map {
                    BusyInterval(
                        start: $0.time.lowerBound,
                        end: $0.time.upperBound,
                        seats: $0.count
                    )
                }
            )
            let all = Timestamp(secondsSince1970: 0)..<Timestamp(secondsSince1970: 10_000_000)
            let most = load.maximum(in: all)
            #expect(most <= 10 && !found.isEmpty)
        }
    }
}
