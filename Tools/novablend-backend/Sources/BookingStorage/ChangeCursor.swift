/// A position in the order of all changes.
public struct ChangeCursor: Sendable, Hashable {
    /// Identifies the history that the number counts. In a database that goes on from an earlier state,
    /// for example in a restored copy, the same numbers stand for different changes.
    public var epoch: String
    /// The number of the last change before the position; 0 before the first change.
    public var number: Int64
    /// If several elements have the same number, the last of them that is before the position, in a
    /// form that only the store interprets. Empty if the position is after all elements with the
    /// number.
    public var element: String

    /// Creates a position.
    public init(epoch: String, number: Int64, element: String = "") {
        self.epoch = epoch
        self.number = number
        self.element = element
    }

    /// Whether there are changes between this position and `latest`, the position of the last
    /// change, or this one belongs to a different history.
    public func isOutdated(by latest: ChangeCursor) -> Bool {
        epoch != latest.epoch || number < latest.number
            || (number == latest.number && element != latest.element)
    }
}
