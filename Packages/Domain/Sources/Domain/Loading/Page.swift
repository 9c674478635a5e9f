/// A page of a list: the elements after a given one, up to a limit.
public struct Page<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    /// The id of the element before the page; nil for the first page.
    public var after: Element.ID?
    /// The maximum number of elements; nil for no limit.
    public var limit: Int?

    /// Creates a page.
    public init(after: Element.ID? = nil, limit: Int? = nil) {
        self.after = after
        self.limit = limit
    }

    /// Whether the page is the whole list.
    public var isWhole: Bool { after == nil && limit == nil }

    /// Whether `elements`, which the server sent for this page, are the end of the list. Only the
    /// last page contains fewer elements than the limit.
    public func isLast(_ elements: [Element]) -> Bool {
        limit.map { elements.count < $0 } ?? true
    }

    /// The elements of this page in `list`; nil if `list` does not contain the element before the
    /// page.
    public func elements(in list: [Element]) -> [Element]? {
        var rest = list[...]
        if let after {
            guard let position = list.firstIndex(where: { $0.id == after }) else { return nil }
            rest = list[(position + 1)...]
        }
        return Array(rest.prefix(limit ?? rest.count))
    }

    /// The elements of this page in `response`, which the server sent for this page. A server
    /// without paging sends the whole list.
    public func trim(_ response: [Element]) -> [Element] {
        elements(in: response) ?? Array(response.prefix(limit ?? response.count))
    }

    /// The list to cache after `page` was received: `cached` up to the start of the page, followed
    /// by the page.
    ///
    /// The cached list never has gaps. Returns nil if elements between `cached` and the page are
    /// unknown.
    public func merge(_ page: [Element], into cached: [Element]) -> [Element]? {
        guard let after else { return page }
        guard let position = cached.firstIndex(where: { $0.id == after }) else { return nil }
        let received = Set(page.map(\.id))
        return cached[...position].filter { !received.contains($0.id) } + page
    }
}
