import Contract
package import Domain
package import JSON
import JSONRPC
import NovaBlendAccounts
package import NovaBlendAdapters

/// The bookings and changes in doubt, and what was found out about them.
package struct ResolutionsReply: Reply {
    static let schema = ObjectSchema([
        Account.property,
        .init("resolutions", .array(of: .object(ReportedResolution.schema))),
        .optional("hint", .string, "what it means that nothing is known about the key"),
        OtherAccounts.property, DryRun.property,
    ])

    package let resolutions: [ReportedResolution]
    /// What it means that the key of the call has no resolution, and what to do; nil if it has one.
    package let hint: String?
    package let accounts: OtherAccounts
    let isDryRun: Bool

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            accounts.account.write(to: &writer)
            writer.objects("resolutions", resolutions) { $0.write(to: &$1) }
            writer.member("hint", hint)
            accounts.write(to: &writer)
        }
    }
}

/// The resolution of a booking or a change in a result.
package struct ReportedResolution: Sendable {
    static let schema = ObjectSchema([
        .init("idempotencyKey", .string),
        .init("action", .string(in: BookingAction.Name.allCases.map(\.rawValue))),
        .init("outcome", .string(in: outcomes)),
        .init(
            "appointment",
            .object(AppointmentView.schema),
            "as the server shows it if it was done, otherwise as requested"
        ),
        .optional("reason", .string),
        .optional(
            "present",
            .object(PresentState.schema),
            "the appointment now, if it was done and the call names its key"
        ),
    ]).named("Resolution")

    private static let outcomes =
        BookingAction.Name.allCases.flatMap { [$0.done, $0.notDone] }
        + ["notFound", "discarded", "inDoubt"]

    let resolution: ResolveBookings.Resolution
    /// What became of the appointment; nil if it was not done, or if the call does not name its key.
    package let present: PresentState?
    let salon: RequestedSalon

    package var key: String { resolution.intent.key }
    package var outcome: String {
        Self.name(of: resolution.outcome, of: resolution.intent.action.name)
    }
    package var reason: String? { Self.reason(for: resolution.outcome) }
    /// The time of the appointment now, if it has been moved since; nil otherwise.
    package var presentTime: TimeView? { present?.movedTime(at: salon) }

    /// The appointment as the server shows it if it was done, otherwise as requested.
    package var appointment: AppointmentView {
        if case .done(let current) = resolution.outcome {
            return AppointmentView(current, at: salon)
        }
        return AppointmentView(resolution.intent.action.outcome, at: salon)
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("idempotencyKey", key)
        writer.member("action", resolution.intent.action.name.rawValue)
        writer.member("outcome", outcome)
        writer.object("appointment", appointment.writeMembers)
        writer.member("reason", reason)
        writer.member("present", present?.fragment(at: salon))
    }

    private static func name(
        of outcome: ResolveBookings.Resolution.Outcome,
        of action: BookingAction.Name
    ) -> String {
        switch outcome {
        case .done: action.done
        case .notDone: action.notDone
        case .notFound: "notFound"
        case .discarded: "discarded"
        case .inDoubt: "inDoubt"
        }
    }

    private static func reason(for outcome: ResolveBookings.Resolution.Outcome) -> String? {
        switch outcome {
        case .done, .notDone: nil
        case .notFound:
            "the server does not show it; its key stays reserved for 30 days, and it is reported if it "
                + "appears"
        case .discarded: "discarded; whether it was done is unknown"
        case .inDoubt(let reason): reason
        }
    }
}

/// What became of an appointment that was booked or changed earlier.
package struct PresentState: Sendable {
    /// How the appointment differs from what was stored.
    package enum Change: String, Sendable, CaseIterable {
        case unchanged, moved, changed, cancelled
        /// A complete list does not have it.
        case notListed
        /// No list shows it, and none proves that it does not exist.
        case unknown
    }

    static let schema = ObjectSchema([
        .init("state", .string(in: Change.allCases.map(\.rawValue))),
        .optional("asOf", .string, "when the server stated this; absent if it is unknown"),
        .optional("appointment", .object(AppointmentView.schema), "if it differs"),
        .optional("reason", .string, "why the server did not state it just now"),
    ]).named("PresentState")

    package let change: Change
    /// When the server stated this; nil if it is unknown.
    package let asOf: Timestamp?
    /// The appointment as it is listed; nil if it is not.
    private let appointment: Appointment?
    private let reason: String?

    /// Compares an appointment with the loaded list.
    init(of stored: Appointment, in loaded: Result<Loaded<[Appointment]>, Failure>) {
        switch loaded {
        case .success(let list):
            let found = list.value.last { $0.isSame(as: stored) }
            let isProof = list.provenance.isComplete && list.provenance.source != .none
            change = found.map { Change(from: stored, to: $0) } ?? (isProof ? .notListed : .unknown)
            asOf = change == .unknown ? nil : list.provenance.fetchedAt
            appointment = found
            reason = list.provenance.serverError?.description ?? list.provenance.warning
        case .failure(let error):
            (change, asOf, appointment, reason) = (.unknown, nil, nil, error.description)
        }
    }

    fileprivate func movedTime(at salon: RequestedSalon) -> TimeView? {
        guard change == .moved, let appointment else { return nil }
        return AppointmentView(appointment, at: salon).when
    }

    fileprivate func fragment(at salon: RequestedSalon) -> ObjectFragment {
        ObjectFragment { writer in
            writer.member("state", change.rawValue)
            writer.member("asOf", asOf.map(ISO8601.formatUTC))
            if let appointment, change != .unchanged {
                writer.object(
                    "appointment",
                    AppointmentView(appointment, at: salon).writeMembers
                )
            }
            writer.member("reason", reason)
        }
    }
}

extension PresentState.Change {
    fileprivate init(from stored: Appointment, to current: Appointment) {
        let (old, new) = (stored.booking, current.booking)
        if !current.isActive, stored.isActive {
            self = .cancelled
        } else if old.time.instant != new.time.instant {
            self = .moved
        } else {
            let isSame =
                old.options.serviceID == new.options.serviceID
                && old.options.seats == new.options.seats
                && (old.options.staffID == nil || old.options.staffID == new.options.staffID)
                && stored.isActive == current.isActive
            self = isSame ? .unchanged : .changed
        }
    }
}

extension BookingAction.Name {
    fileprivate var done: String {
        switch self {
        case .book: "booked"
        case .reschedule: "rescheduled"
        case .cancel: "cancelled"
        }
    }

    fileprivate var notDone: String { "not\(done.prefix(1).uppercased())\(done.dropFirst())" }
}
