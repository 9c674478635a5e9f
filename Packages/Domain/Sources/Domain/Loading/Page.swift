/// A part of a list: up to so many elements after a certain one.
public struct Page<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    /// The element before the first; nil for the beginning of the list.
    public var after: Element.ID?
    /// The most elements; nil for all.
    public var limit: Int?

    /// Describes a page.
    public init(after: Element.ID? = nil, limit: Int? = nil) {
        self.after = after
        self.limit = limit
    }

    /// Whether it is the list itself.
    public var isWhole: Bool { after == nil && limit == nil }

    /// Whether `page`, which is what came for it, is where the list ends: a page that is not full
    /// is how a remote says so.
    public func isLast(_ page: [Element]) -> Bool { limit.map { page.count < $0 } ?? true }

    /// The page out of `list`; nil when the element that it follows is not there.
    public func cut(from list: [Element]) -> [Element]? {
        var rest = list[...]
        if let after {
            guard let position = list.firstIndex(where: { $0.id == after }) else { return nil }
            rest = list[(position + 1)...]
        }
        return Array(rest.prefix(limit ?? rest.count))
    }

    /// What a remote sent for this page, where that may be one that knows no pages: then the whole
    /// list came, and is cut here.
    public func trim(_ answer: [Element]) -> [Element] {
        cut(from: answer) ?? Array(answer.prefix(limit ?? answer.count))
    }

    /// What to keep once the page has arrived: `kept` up to where it begins, and then the page.
    ///
    /// What is kept is always the unbroken beginning of the list. Nil when the page begins where
    /// nothing is kept: nobody knows what lies between.
    public func merge(_ page: [Element], into kept: [Element]) -> [Element]? {
        guard let after else { return page }
        guard let position = kept.firstIndex(where: { $0.id == after }) else { return nil }
        let arrived = Set(page.map(\.id))
        return kept[...position].filter { !arrived.contains($0.id) } + page
    }
}
