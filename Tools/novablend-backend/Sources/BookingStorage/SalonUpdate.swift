public import Domain

/// The result of putting a salon.
public enum SalonUpdate: Sendable, Hashable {
    /// The salon did not exist before.
    case created(Salon)
    /// The salon existed before. This number of its appointments were moved.
    case replaced(Salon, moved: Int = 0)

    /// The salon that is stored now, with its version.
    public var salon: Salon {
        switch self {
        case .created(let salon), .replaced(let salon, _): salon
        }
    }
}

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

/// The result of an import of salons. The lists of imported salons are in the order in which the
/// salons were passed, and those of other salons in the order of their ids.
public struct SalonImport: Sendable, Hashable {
    /// What an import does in addition.
    public struct Options: Sendable, Hashable {
        /// Whether salons that are not imported are deleted.
        public var deletesOthers = false
        /// The only salons that may be deleted, because a person was asked about them; nil for any.
        public var deletable: Set<SalonID>?
        /// Whether nothing changes, and the result is what an import would have.
        public var isDryRun = false

        /// Creates the options of an import that deletes nothing and is not a dry run.
        public init() {}
    }

    /// The salons that did not exist before.
    public var created: [Salon] = []
    /// The salons that were replaced.
    public var replaced: [Salon] = []
    /// The salons that were already stored in the same form.
    public var unchanged: [Salon] = []
    /// The salons that were deleted, because they were not imported.
    public var deleted: [Salon] = []
    /// The salons that cannot be deleted, because an active appointment starts in the future. If
    /// there is such a salon, nothing was changed.
    public var undeletable: [Salon] = []
}
