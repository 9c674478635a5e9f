public import Domain

/// Who has changed what, as the audit log records it. It contains no phone number, no email
/// address, and no secret.
public struct AuditEntry: Sendable, Hashable {
    /// Who has made the change.
    public enum Role: String, Sendable, CaseIterable {
        case customer, staff, administrator
        /// A command of the program, which needs no token.
        case command
    }

    /// What was done.
    public enum Action: String, Sendable, CaseIterable {
        case book, move, cancel
        case hold, release
        /// An idempotency key was voided.
        case void
        case create, replace, delete
        case revoke, erase, prune
    }

    /// What was changed.
    public enum Kind: String, Sendable, CaseIterable {
        case appointment, hold, key, salon, token, customer
    }

    /// How long an entry is retained: 366 days, in seconds.
    public static let retentionSeconds: Int64 = 366 * 86_400

    /// When the transaction of the change ran.
    public var time: Timestamp
    /// The role of the token that authorized the change; `command` for a command, which uses no
    /// token.
    public var role: Role
    /// The id of the token; nil for a command.
    public var tokenID: String?
    /// What was done.
    public var action: Action
    /// What was changed.
    public var kind: Kind
    /// The id of what was changed; nil if it has none that may be recorded.
    public var id: String?
    /// The salon to which the changed object belongs; nil if it belongs to none.
    public var salonID: SalonID?
    /// The version of the changed object after the change; nil if it has no version.
    public var version: Int?
}
