import Contract
import Domain
import JSON
import JSONRPC

/// The resolution of a booking or a change in a result.
enum ResolutionView {
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

    static func write(
        _ resolution: ResolveBookings.Resolution,
        _ clocks: [SalonID: SalonClock],
        to writer: inout JSONWriter
    ) {
        let action = resolution.intent.action
        var appointment = action.outcome
        if case .done(let current) = resolution.outcome { appointment = current }
        writer.member("idempotencyKey", resolution.intent.key)
        writer.member("action", action.name.rawValue)
        writer.member("outcome", name(of: resolution.outcome, of: action.name))
        writer.key("appointment")
        AppointmentCodec.write(appointment, to: &writer)
        let clock = clocks[appointment.booking.salonID]
        writer.member("when", TimeView(of: appointment, on: clock).fragment)
        writer.member("reason", reason(for: resolution.outcome))
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
