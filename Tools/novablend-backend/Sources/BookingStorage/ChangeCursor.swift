/// A position in the order of all changes.
public struct ChangeCursor: Sendable, Hashable {
    /// Identifies the history that the number counts. A database that was restored from a backup has
    /// a new one, because its numbers stand for different changes.
    public var epoch: String
    /// The number of the last change before the position; 0 before the first change.
    public var number: Int64

    /// Creates a position.
    public init(epoch: String, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Whether there are changes between this position and `latest`, the position of the last
    /// change, or this one belongs to a different history.
    public func isOutdated(by latest: ChangeCursor) -> Bool {
        epoch != latest.epoch || number < latest.number
    }
}
