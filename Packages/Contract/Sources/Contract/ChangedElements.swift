/// The elements of a list that have changed and have not been taken yet. If several have the same
/// id, only the last one counts; one without an id is ignored.
struct ChangedElements<ID: Hashable, Element> {
    private let elements: [Element]
    /// The position of the last element with each id.
    private var positions: [ID: Int] = [:]

    init<Failure: Error>(
        _ elements: [Element],
        id: (Element) throws(Failure) -> ID?
    ) throws(Failure) {
        self.elements = elements
        for (position, element) in elements.enumerated() {
            if let id = try id(element) { positions[id] = position }
        }
    }

    /// The ids of the elements that were not taken.
    var ids: [ID] { Array(positions.keys) }

    /// Removes and returns the element with this id; nil if there is no such element.
    mutating func take(_ id: ID) -> Element? {
        positions.removeValue(forKey: id).map { elements[$0] }
    }

    /// The elements that were not taken, in their order.
    var rest: [Element] { positions.values.sorted().map { elements[$0] } }
}
