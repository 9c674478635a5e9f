/// Finds the elements that are more than once in a list, on one page or on several.
@usableFromInline
struct PageOverlap<ID: Hashable> {
    /// The number of the last element that has the id, counted over all pages.
    private var lastNumber: [ID: Int] = [:]
    private var count = 0
    /// Whether every id occurs once.
    @usableFromInline private(set) var isEmpty = true

    /// Creates an overlap of about `count` elements.
    @usableFromInline
    init(count: Int) { lastNumber.reserveCapacity(count) }

    /// Records the id of the next element. Elements are added in their order.
    @usableFromInline
    mutating func add(_ id: ID?) {
        if let id, lastNumber.updateValue(count, forKey: id) != nil { isEmpty = false }
        count += 1
    }

    /// Whether an element after the one with this number has the same id.
    @usableFromInline
    func isSuperseded(_ id: ID?, number: Int) -> Bool {
        guard let id, let last = lastNumber[id] else { return false }
        return last > number
    }
}
