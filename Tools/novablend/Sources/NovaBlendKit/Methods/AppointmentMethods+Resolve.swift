import Contract
import Domain
import JSON
import JSONRPC

extension AppointmentMethods {
    var resolve: Method {
        Method(
            "appointments/resolve",
            "Finds out what became of bookings, and of changes to them, whose answer never came; "
                + "sends nothing again.",
            title: "Resolve what is in doubt",
            parameters: [DryRun.parameter],
            result: .init(
                "resolutions",
                "one for each that was open",
                schema: ObjectSchema([
                    .init("resolutions", Schemas.array(of: Self.resolutionSchema.fragment)),
                    DryRun.property,
                ])
            ),
            effect: .changes(isIdempotent: true)
        ) { [resolution, times, changes] call throws(RPCError) in
            let isDryRun = try DryRun.isWanted(call.params)
            do throws(JournalError) {
                let resolutions =
                    isDryRun ? try resolution.rehearse() : try await resolution.resolve()
                let clocks = await Self.clocks(of: resolutions, times)
                if resolutions.contains(where: \.isDone) { changes.announce("appointments") }
                return JSONFragment { writer in
                    writer.object { writer in
                        writer.dryRun(isDryRun)
                        writer.key("resolutions")
                        writer.array { writer in
                            for resolution in resolutions {
                                Self.write(resolution, clocks, to: &writer)
                            }
                        }
                    }
                }
            } catch {
                throw ProgramError.cacheRetrieval.error(error.reason)
            }
        }
    }

    private static let resolutionSchema = ObjectSchema([
        .init("idempotencyKey", Schemas.string),
        .init("action", Schemas.oneOf(BookingAction.Name.allCases.map(\.rawValue))),
        .init(
            "outcome",
            Schemas.oneOf(
                BookingAction.Name.allCases.flatMap { [$0.done, $0.notDone] } + ["inDoubt"]
            )
        ),
        .init("appointment", Schemas.appointment.fragment, isRequired: false),
        .init("when", TimeView.schema.fragment, isRequired: false),
        .init("reason", Schemas.string, isRequired: false),
    ])

    private static func clocks(
        of resolutions: [ResolveBookings.Resolution],
        _ times: ReadSalonTime
    ) async -> [SalonID: SalonClock] {
        var clocks: [SalonID: SalonClock] = [:]
        for id in Set(resolutions.map(\.intent.action.salonID)) {
            clocks[id] = await times.zonedClock(of: id)
        }
        return clocks
    }

    private static func write(
        _ resolution: ResolveBookings.Resolution,
        _ clocks: [SalonID: SalonClock],
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
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
            case .inDoubt(let reason):
                writer.member("outcome", "inDoubt")
                writer.member("reason", reason)
            }
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

    fileprivate var notDone: String {
        switch self {
        case .book: "notBooked"
        case .reschedule: "notRescheduled"
        case .cancel: "notCancelled"
        }
    }
}

extension ResolveBookings.Resolution {
    fileprivate var isDone: Bool {
        if case .done = outcome { true } else { false }
    }
}
