import Contract
import Domain
import JSON
import JSONRPC

extension AppointmentMethods {
    var resolve: Method {
        Method(
            "appointments/resolve",
            "Finds out what became of bookings whose answer never came; sends nothing again.",
            title: "Resolve bookings in doubt",
            result: .init(
                "resolutions",
                "one for each that was open",
                schema: ObjectSchema([
                    .init("resolutions", Schemas.array(of: Self.resolutionSchema.fragment))
                ])
            ),
            effect: .changes(isIdempotent: true)
        ) { [resolution, times, changes] _ throws(RPCError) in
            do throws(JournalError) {
                let resolutions = try await resolution.resolve()
                let clocks = await Self.clocks(of: resolutions, times)
                if resolutions.contains(where: \.isBooked) { changes.announce("appointments") }
                return JSONFragment { writer in
                    writer.object { writer in
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
        .init("outcome", Schemas.oneOf(["booked", "notBooked", "inDoubt"])),
        .init("appointment", Schemas.appointment.fragment, isRequired: false),
        .init("when", TimeView.schema.fragment, isRequired: false),
        .init("reason", Schemas.string, isRequired: false),
    ])

    private static func clocks(
        of resolutions: [ResolveBookings.Resolution],
        _ times: ReadSalonTime
    ) async -> [SalonID: SalonClock] {
        var clocks: [SalonID: SalonClock] = [:]
        for id in Set(resolutions.map(\.intent.request.salonID)) {
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
            writer.member("idempotencyKey", resolution.intent.key)
            switch resolution.outcome {
            case .booked(let appointment):
                writer.member("outcome", "booked")
                writer.key("appointment")
                AppointmentCodec.write(appointment, to: &writer)
                let clock = clocks[appointment.booking.salonID]
                writer.member("when", TimeView(of: appointment, on: clock).fragment)
            case .notBooked: writer.member("outcome", "notBooked")
            case .inDoubt(let reason):
                writer.member("outcome", "inDoubt")
                writer.member("reason", reason)
            }
        }
    }
}

extension ResolveBookings.Resolution {
    fileprivate var isBooked: Bool {
        if case .booked = outcome { true } else { false }
    }
}
