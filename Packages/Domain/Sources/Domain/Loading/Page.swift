/// A part of a list: the elements after a given one, up to a limit.
public struct Page<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    /// The element that precedes the page; nil for the beginning of the list.
    public var after: Element.ID?
    /// The largest number of elements; nil for no limit.
    public var limit: Int?

    /// Describes a page.
    public init(after: Element.ID? = nil, limit: Int? = nil) {
        self.after = after
        self.limit = limit
    }

    /// Whether the page is the whole list.
    public var isWhole: Bool { after == nil && limit == nil }

    /// Whether the list ends with `elements`, which the server sent for this page: the last page is
    /// the one that is not full.
    public func isLast(_ elements: [Element]) -> Bool {
        limit.map { elements.count < $0 } ?? true
    }

    /// The page's elements in `list`; nil if `list` lacks the element that precedes the page.
    public func cut(from list: [Element]) -> [Element]? {
        var rest = list[...]
        if let after {
            guard let position = list.firstIndex(where: { $0.id == after }) else { return nil }
            rest = list[(position + 1)...]
        }
        return Array(rest.prefix(limit ?? rest.count))
    }

    /// The page's elements in `answer`, which a server sent for this page. A server without paging
    /// sends the whole list.
    public func trim(_ answer: [Element]) -> [Element] {
        cut(from: answer) ?? Array(answer.prefix(limit ?? answer.count))
    }

    /// The list to cache once `page` has arrived: `cached` up to the beginning of the page, followed by
    /// the page.
    ///
    /// The cache always holds an unbroken beginning of the list. Nil if elements between `cached` and
    /// the page are unknown.
    public func merge(_ page: [Element], into cached: [Element]) -> [Element]? {
        guard let after else { return page }
        guard let position = cached.firstIndex(where: { $0.id == after }) else { return nil }
        let arrived = Set(page.map(\.id))
        return cached[...position].filter { !arrived.contains($0.id) } + page
    }
}
