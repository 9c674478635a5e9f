/// The value of `If-Match` or `If-None-Match` (RFC 9110, sections 13.1.1 and 13.1.2).
public enum EntityTagList: Sendable, Hashable {
    /// `*`, which matches every existing representation.
    case any
    /// These tags, of which one must match.
    case tags([EntityTag])

    /// Parses the values of all fields with the name, which count as one list. Returns nil if there
    /// is no field, and an empty list of tags, which matches nothing, if a value is invalid.
    public init?(_ values: [String]) {
        if values.isEmpty { return nil }
        if values.count == 1, values[0].utf8.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [EntityTag] = []
        for value in values {
            var parser = EntityTagParser(value)
            guard let parsed = parser.tags() else {
                self = .tags([])
                return
            }
            tags += parsed
        }
        self = .tags(tags)
    }

    /// Whether `If-Match` is met by an existing representation with this tag. `*` always matches;
    /// otherwise, weak tags never do.
    public func matchesStrongly(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.matchesStrongly(tag) }
        }
    }

    /// Whether `If-None-Match` names the existing representation.
    public func matchesWeakly(_ tag: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.matchesWeakly(tag) }
        }
    }
}
