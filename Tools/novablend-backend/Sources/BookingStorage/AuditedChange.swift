package import Domain

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
