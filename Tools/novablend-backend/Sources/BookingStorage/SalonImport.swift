public import Domain

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
