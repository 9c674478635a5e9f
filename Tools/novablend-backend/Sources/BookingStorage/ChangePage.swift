/// Some of the salons and appointments that have changed after a position.
public struct ChangePage: Sendable, Hashable {
    /// What has changed, each salon and appointment once, in the order of their last changes.
    public var changes: [StoredChange]
    /// The position after which the next page begins.
    public var cursor: ChangeCursor
    /// Whether there are more changes after the page, which were made before it was read.
    public var hasMore: Bool

    /// Creates a page.
    public init(changes: [StoredChange], cursor: ChangeCursor, hasMore: Bool = false) {
        self.changes = changes
        self.cursor = cursor
        self.hasMore = hasMore
    }
}
