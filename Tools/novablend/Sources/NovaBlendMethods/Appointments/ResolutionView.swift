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
        .optional("appointment", .object(Schemas.appointment)),
        .optional("when", .object(TimeView.schema)),
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
        let action = resolution.intent.action.name
        writer.member("idempotencyKey", resolution.intent.key)
        writer.member("action", action.rawValue)
        switch resolution.outcome {
        case .done(let appointment):
            writer.member("outcome", action.done)
            writer.key("appointment")
            AppointmentCodec.write(appointment, to: &writer)
            let clock = clocks[appointment.booking.salonID]
            writer.member("when", TimeView(of: appointment, on: clock).fragment)
        case .notDone: writer.member("outcome", action.notDone)
        case .notFound: write("notFound", because: absence, to: &writer)
        case .discarded: write("discarded", because: discarding, to: &writer)
        case .inDoubt(let reason): write("inDoubt", because: reason, to: &writer)
        }
    }

    private static let absence =
        "the server does not list it; its key stays reserved for 30 days, and it is reported if it "
        + "appears"
    private static let discarding = "discarded; whether it was done is unknown"

    private static func write(
        _ outcome: String,
        because reason: String,
        to writer: inout JSONWriter
    ) {
        writer.member("outcome", outcome)
        writer.member("reason", reason)
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
