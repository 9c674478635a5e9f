/// Finds the elements that are on several pages of a list.
@usableFromInline
struct PageOverlap<ID: Hashable> {
    /// The last page that has the id.
    private var lastPage: [ID: Int] = [:]
    /// Whether every id is on one page only.
    @usableFromInline private(set) var isEmpty = true

    @usableFromInline
    init() {}

    /// Records that `page` has an element with this id. Pages are added in their order.
    @usableFromInline
    mutating func add(_ id: ID?, page: Int) {
        guard let id, let earlier = lastPage.updateValue(page, forKey: id) else { return }
        if earlier != page { isEmpty = false }
    }

    /// Whether a page after `page` has an element with this id, too.
    @usableFromInline
    func isSuperseded(_ id: ID?, page: Int) -> Bool {
        guard let id, let last = lastPage[id] else { return false }
        return last > page
    }
}
