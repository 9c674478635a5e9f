public import Domain

/// Who has changed what, or has copied or tried to read data, as the audit log records it. It contains
/// no phone number, no email address, and no secret.
public struct AuditEntry: Sendable, Hashable {
    /// Who has acted.
    public enum Role: String, Sendable, CaseIterable {
        case customer, staff, administrator
        /// A command of the program, which needs no token.
        case command
        /// Someone whose token is missing or not valid.
        case unknown
    }

    /// What was done.
    public enum Action: String, Sendable, CaseIterable {
        case book, move, cancel
        case hold, release
        /// An idempotency key was voided.
        case void
        case create, replace, delete
        case revoke, erase, prune
        /// Data was written to a file or to standard output.
        case export, backup
        /// Requests were rejected because of their tokens.
        case reject
    }

    /// What was changed, copied, or rejected.
    public enum Kind: String, Sendable, CaseIterable {
        case appointment, hold, key, salon, token, customer
        /// All that is stored.
        case database
        /// The clients at an address.
        case address
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
    /// The id of what was changed; nil if it has none that may be recorded. For rejected requests, the
    /// address of the client, or the network of an IPv6 address; nil for all further ones together.
    public var id: String?
    /// The salon to which the changed object belongs; nil if it belongs to none.
    public var salonID: SalonID?
    /// The version of the changed object after the change; nil if it has no version.
    public var version: Int?
    /// How many requests were rejected; nil if the entry is about something else.
    public var count: Int?
}
