/// The calls that may start, in the order of their arrival.
struct ReadyQueue {
    private var numbers: [UInt64] = []
    private var head = 0

    /// The call that starts next.
    var first: UInt64? { head < numbers.count ? numbers[head] : nil }

    mutating func append(_ number: UInt64) { numbers.append(number) }

    mutating func popFirst() -> UInt64? {
        guard let first else { return nil }
        head += 1
        if head == numbers.count {
            numbers.removeAll(keepingCapacity: head <= 1_024)
            head = 0
        } else if head >= 4_096, head * 2 >= numbers.count {
            numbers.removeFirst(head)
            head = 0
        }
        return first
    }
}
