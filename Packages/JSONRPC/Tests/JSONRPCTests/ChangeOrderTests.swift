import Testing

@testable import JSONRPC

@Suite("The order of changes")
struct ChangeOrderTests {
    private let reads = DataAccess(reads: ["a"])
    private let changes = DataAccess(changes: ["a"])

    @Test("a read waits for a change to its data until the change has finished")
    func ended() {
        var order = ChangeOrder()
        let canStartFirst = order.add(1, changes, isChange: true)
        let canStart = order.add(2, reads, isChange: false)
        #expect(canStartFirst && !canStart && order.isWaiting(2) && order.hasChanges)
        let unblocked = order.remove(1)
        #expect(unblocked == [2] && !order.hasChanges)
        let canStartNow = order.add(3, reads, isChange: false)
        #expect(canStartNow)
    }

    @Test("a read after two changes waits for both, which finish in order")
    func twoChanges() {
        var order = ChangeOrder()
        _ = order.add(1, changes, isChange: true)
        _ = order.add(2, changes, isChange: true)
        let first = order.remove(1)
        let canStart = order.add(3, reads, isChange: false)
        let second = order.remove(2)
        #expect(first == [2] && !canStart && second == [3])
    }
}
