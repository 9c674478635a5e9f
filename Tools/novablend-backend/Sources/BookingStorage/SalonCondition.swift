/// What must be true for a salon to be created, replaced, or deleted.
public enum SalonCondition: Sendable, Hashable {
    /// There is no such salon (`If-None-Match: *`).
    case absent
    /// There is such a salon, in any version (`If-Match: *`).
    case present
    /// There is such a salon, and it has one of these versions (`If-Match` with entity tags).
    case version(Set<Int>)

    /// Whether the condition is met by the stored `version`, which is nil if there is no such salon.
    public func isMet(by version: Int?) -> Bool {
        switch self {
        case .absent: version == nil
        case .present: version != nil
        case .version(let expected): version.map(expected.contains) ?? false
        }
    }
}
