/// A request to change a salon.
public enum SalonChangeRequest: Sendable, Hashable {
    /// Create the salon, or replace all its members. The version in the salon is the one that the
    /// caller expects; nil for any. If its clock changes, the future appointments keep their
    /// instants, or with `keepsWallClock` their local times.
    case put(Salon, keepsWallClock: Bool = false)
    /// Delete the salon.
    case delete(SalonID)

    /// The salon's id.
    var id: SalonID {
        switch self {
        case .put(let salon, _): salon.id
        case .delete(let id): id
        }
    }

    /// The version that the salon in the request states.
    var version: Int? { if case .put(let salon, _) = self { salon.version } else { nil } }
}

/// The confirmed or the predicted result of changing a salon.
public struct SalonChange: Sendable, Hashable {
    /// What happened to the salon.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The salon was created; it did not exist before.
        case created
        /// The salon was replaced.
        case changed
        /// The stored salon was the requested one already, so nothing was sent.
        case unchanged
        /// The salon was deleted.
        case deleted
    }

    /// What happened to the salon.
    public var outcome: Outcome
    /// The salon before the change; nil if it did not exist.
    public var before: Salon?
    /// The salon after the change: as the server stores it, or, in a preview, as requested. Nil if
    /// it was deleted.
    public var after: Salon?
    /// Whether the server stored a salon that differs from the requested one.
    public var isDifferentFromRequest = false
    /// The active future appointments that ``after`` would not accept in this form, in order of
    /// time.
    public var conflicts: [SalonConflict] = []
    /// How many appointments were moved so that they keep their local times, or would be; nil if the
    /// request does not ask for it, or the server does not say.
    public var moved: Int?
    /// Whether the server did not say that it moves appointments, although the request asked for it.
    public var isMoveUnconfirmed = false
    /// Why ``conflicts`` may lack appointments; nil if it is complete.
    public var appointmentsError: String?
    /// Why the cached list could not be updated; nil if it was updated or nothing was changed.
    public var cacheError: Failure?

    /// Creates a change that affects no known appointment.
    public init(outcome: Outcome, before: Salon?, after: Salon?) {
        self.outcome = outcome
        self.before = before
        self.after = after
    }
}

extension Salon {
    /// This salon without its version, for comparing the content of two versions.
    var content: Salon {
        var content = self
        content.version = nil
        return content
    }
}
