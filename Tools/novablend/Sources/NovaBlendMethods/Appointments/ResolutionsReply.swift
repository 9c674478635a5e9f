import Contract
import Domain
package import JSON
import JSONRPC
import NovaBlendAccounts
package import NovaBlendAdapters

/// The bookings and changes in doubt, and what was found out about them.
package struct ResolutionsReply: Reply {
    static let schema = ObjectSchema([
        Account.property,
        .init("resolutions", .array(of: .object(ReportedResolution.schema))),
        OtherAccounts.property, DryRun.property,
    ])

    package let resolutions: [ReportedResolution]
    package let accounts: OtherAccounts
    let isDryRun: Bool

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            accounts.account.write(to: &writer)
            writer.objects("resolutions", resolutions) { $0.write(to: &$1) }
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
            .object(Schemas.appointment),
            "as the server shows it if it was done, otherwise as requested"
        ),
        .init("when", .object(TimeView.schema)),
        .optional("reason", .string),
    ]).named("Resolution")

    private static let outcomes =
        BookingAction.Name.allCases.flatMap { [$0.done, $0.notDone] }
        + ["notFound", "discarded", "inDoubt"]

    let resolution: ResolveBookings.Resolution
    /// The clock of the salon's time zone; nil if it is not known.
    let clock: SalonClock?

    package var key: String { resolution.intent.key }
    package var outcome: String {
        Self.name(of: resolution.outcome, of: resolution.intent.action.name)
    }
    package var reason: String? { Self.reason(for: resolution.outcome) }
    /// The time on the salon's clock.
    package var when: TimeView { TimeView(of: appointment, on: clock) }

    /// The appointment as the server shows it if it was done, otherwise as requested.
    private var appointment: Appointment {
        if case .done(let current) = resolution.outcome { return current }
        return resolution.intent.action.outcome
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("idempotencyKey", key)
        writer.member("action", resolution.intent.action.name.rawValue)
        writer.member("outcome", outcome)
        writer.key("appointment")
        AppointmentCodec.write(appointment, to: &writer)
        writer.member("when", when.fragment)
        writer.member("reason", reason)
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
