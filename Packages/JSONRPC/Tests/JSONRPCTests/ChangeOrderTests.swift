import Testing

@testable import JSONRPC

@Suite("The order of changes")
struct ChangeOrderTests {
    private let reads = DataAccess(reads: ["a"])
    private let changes = DataAccess(changes: ["a"])

    @Test("a read waits for a change to its data, and not once that has ended")
    func ended() {
        var order = ChangeOrder()
        let isFirst = order.add(1, changes, isChange: true)
        let isFree = order.add(2, reads, isChange: false)
        #expect(isFirst && !isFree && order.isWaiting(2) && order.hasChanges)
        let unblocked = order.remove(1)
        #expect(unblocked == [2] && !order.hasChanges)
        let isFreeNow = order.add(3, reads, isChange: false)
        #expect(isFreeNow)
    }

    @Test("a read waits for the last of two changes, in their order")
    func twoChanges() {
        var order = ChangeOrder()
        _ = order.add(1, changes, isChange: true)
        _ = order.add(2, changes, isChange: true)
        let first = order.remove(1)
        let isFree = order.add(3, reads, isChange: false)
        let second = order.remove(2)
        #expect(first == [2] && !isFree && second == [3])
    }
}
