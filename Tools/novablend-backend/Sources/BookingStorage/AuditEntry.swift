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

/// A change that the audit log records, without its time and who has made it.
package struct AuditedChange: Sendable {
    package var action: AuditEntry.Action
    package var kind: AuditEntry.Kind
    package var id: String?
    package var salonID: SalonID?
    package var version: Int?
    package var count: Int?

    package init(
        _ action: AuditEntry.Action,
        _ kind: AuditEntry.Kind,
        id: String? = nil,
        salonID: SalonID? = nil,
        version: Int? = nil,
        count: Int? = nil
    ) {
        self.action = action
        self.kind = kind
        self.id = id
        self.salonID = salonID
        self.version = version
        self.count = count
    }

    /// A change of an appointment to its present state.
    package init(_ action: AuditEntry.Action, _ stored: StoredAppointment) {
        let salon = stored.booking.salonID
        self.init(action, .appointment, id: stored.id, salonID: salon, version: stored.version)
    }

    package init(_ action: AuditEntry.Action, _ hold: StoredHold) {
        self.init(action, .hold, id: hold.id, salonID: hold.booking.salonID)
    }

    /// A change of a salon to its present state.
    package init(_ action: AuditEntry.Action, _ salon: Salon) {
        let id = salon.id
        self.init(action, .salon, id: id.description, salonID: id, version: salon.version)
    }

    /// A change of a token. It does not say whose token it is.
    package init(_ action: AuditEntry.Action, tokenID: String) {
        self.init(action, .token, id: tokenID)
    }

    package init(deletionOf salon: SalonID) {
        self.init(.delete, .salon, id: salon.description, salonID: salon)
    }

    /// The entry for what a command does, or for what someone without a token tries.
    package func entry(at time: Timestamp, by role: AuditEntry.Role = .command) -> AuditEntry {
        entry(at: time, role, nil)
    }

    /// The entry for a change that a request makes; nil if a program on the same machine makes it
    /// without a token, because such changes are not recorded.
    package func entry(at time: Timestamp, by principal: Principal) -> AuditEntry? {
        guard let tokenID = principal.tokenID else { return nil }
        let role: AuditEntry.Role =
            switch principal.role {
            case .customer: .customer
            case .staff: .staff
            case .administrator: .administrator
            }
        return entry(at: time, role, tokenID)
    }

    private func entry(
        at time: Timestamp,
        _ role: AuditEntry.Role,
        _ tokenID: String?
    ) -> AuditEntry {
        AuditEntry(
            time: time,
            role: role,
            tokenID: tokenID,
            action: action,
            kind: kind,
            id: id,
            salonID: salonID,
            version: version,
            count: count
        )
    }
}

extension AuditEntry: StoredRow {
    private enum Column: Int32, RowColumn {
        case changedAt, role, tokenID, action, kind, id, salonID, version, count
    }

    private static let columns = Column.list

    package static let insert = SQL(
        "INSERT INTO audit_log (\(columns)) VALUES (\(SQL.parameters(for: columns)))"
    )
    /// The last entries, the latest first. All salons if $2 is NULL.
    package static let last = SQL(
        """
        SELECT \(columns) FROM audit_log
        WHERE changed_at >= $1 AND (CAST($2 AS TEXT) IS NULL OR salon_id = $2)
        ORDER BY number DESC LIMIT $3
        """
    )
    /// Deletes those of the $2 oldest entries that were made before $1.
    package static let deleteExpired = SQL(
        """
        DELETE FROM audit_log
        WHERE changed_at < $1 AND number IN (SELECT number FROM audit_log ORDER BY number LIMIT $2)
        """
    )

    package var values: [any SQLParameter] { Column.allCases.map(value) }

    private func value(of column: Column) -> any SQLParameter {
        switch column {
        case .changedAt: time
        case .role: role.rawValue
        case .tokenID: tokenID
        case .action: action.rawValue
        case .kind: kind.rawValue
        case .id: id
        case .salonID: salonID
        case .version: version
        case .count: count
        }
    }

    package init(row: some ColumnReader) throws(StorageFailure) {
        guard let role = Role(rawValue: row.text(Column.role)),
            let action = Action(rawValue: row.text(Column.action)),
            let kind = Kind(rawValue: row.text(Column.kind))
        else { throw StorageFailure(.corrupted, "an audit entry is invalid") }
        self.init(
            time: row.timestamp(Column.changedAt),
            role: role,
            tokenID: row.optionalText(Column.tokenID),
            action: action,
            kind: kind,
            id: row.optionalText(Column.id),
            salonID: row.salonID(Column.salonID),
            version: row.isNull(Column.version) ? nil : row.int(Column.version),
            count: row.isNull(Column.count) ? nil : row.int(Column.count)
        )
    }
}
