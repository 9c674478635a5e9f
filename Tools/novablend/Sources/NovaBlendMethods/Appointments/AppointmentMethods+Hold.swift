import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

extension AppointmentMethods {
    var hold: Method {
        Method(
            Self.hold,
            "Reserves a free time for a few minutes. Book it with the holdId, or release it. Few "
                + "servers support it.",
            title: "Hold a time",
            parameters: Self.slotParameters + [
                .init(
                    "minutes",
                    "1 to 15; the server's default is usually 5",
                    .integer(in: 1...15)
                ),
                ConfirmedReply.key, DryRun.parameter,
            ],
            result: .init("hold", "the hold, and how long it lasts", schema: HoldReply.schema),
            effect: .changes(),
            data: Self.data,
            errors: ProgramError.loading + Self.slotErrors + [
                .bookingRequiresConnection, .serverRejected, .tooManyHolds, .tooManyAppointments,
                .holdsUnsupported, .holdInDoubt,
            ],
            example: """
                {"salonId": "\(ExampleID.salon)", "appointmentTime": "2027-03-02T11:30:00+01:00", \
                "phone": "+33 6 55501234", "serviceId": "cut", "minutes": 10, \
                "idempotencyKey": "hold-1"}
                """,
            confirmation: { params in
                try await confirmation(before: BookingCall(params, times, salons, holding))
            },
            appUse: .callable,
            attempt: .booking(.book),
            handler: handleHold
        )
    }

    private func confirmation(
        before input: BookingCall
    ) async throws -> Method.Confirmation {
        let appointment = try await preview(input)
        let details = AppointmentDetails(appointment: appointment, salon: input.salon)
        let warnings = await warnings(about: appointment, at: input.salon)
        return Method.Confirmation(
            question: "Hold this time?",
            details: details.lines() + warnings.map(\.line),
            pinnedArguments: SalonReference.pinned(input.request.salonID),
            isExplicit: input.isExplicit
        )
    }

    var release: Method {
        Method(
            Self.release,
            "Releases a hold, so that the time is free again.",
            title: "Release a hold",
            parameters: [
                .init("holdId", "from \(Self.hold)", isRequired: true),
                DryRun.parameter,
            ],
            result: .init(
                "release",
                "the released hold, and what was held, if that is known",
                schema: ReleaseReply.schema
            ),
            effect: .changes(destroys: true, isIdempotent: true),
            data: Self.data,
            errors: [
                .bookingRequiresConnection, .serverRejected, .notAuthenticated, .notAllowed,
                .notConfigured, .tooManyHolds, .holdNotFound, .holdsUnsupported, .holdInDoubt,
            ],
            example: #"{"holdId": "\#(ExampleID.hold)"}"#,
            exampleFollows: [Self.hold.name],
            confirmation: { params in
                let id = try Self.holdID(in: params)
                let held = await holding.preview(releasing: id)?.hold
                var details: [String] = []
                if let appointment = held?.appointment {
                    details = AppointmentDetails(
                        appointment: appointment,
                        salon: await salon(of: appointment)
                    ).lines()
                }
                return Method.Confirmation(
                    question: "Release this hold?",
                    details: details + ["Hold: \(VisibleText.line(id))"],
                    isExplicit: true
                )
            },
            appUse: .callable,
            attempt: .booking(.book)
        ) { [self] call in
            let id = try Self.holdID(in: call.params)
            let isDryRun = try DryRun.isWanted(call.params)
            let known = await holding.preview(releasing: id)
            if !isDryRun { try await holding.release(id) }
            var booked: AppointmentView?
            if let appointment = known?.hold.appointment {
                let salon = await salon(of: appointment)
                booked = AppointmentView(appointment, at: salon)
            }
            return ReleaseReply(
                id: id,
                booked: booked,
                hadEnded: known?.hasEnded ?? false,
                isDryRun: isDryRun
            )
        }
    }

    private static func holdID(in params: Params) throws(RPCError) -> String {
        if let id = try BookingOptionParameters.id("holdId", in: params) { return id }
        throw .missing("holdId")
    }

    private func preview(_ input: BookingCall) async throws -> Appointment {
        do {
            return try await holding.preview(
                input.request,
                at: input.salon,
                minutes: input.minutes,
                key: input.key
            )
        } catch {
            throw error.withTimes(on: input.clock)
        }
    }

    private func handleHold(_ call: Call) async throws -> HoldReply {
        let input = try await BookingCall(call.params, times, salons, holding)
        if try DryRun.isWanted(call.params) {
            let appointment = try await preview(input)
            let warnings = await warnings(about: appointment, at: input.salon)
            return HoldReply(nil, of: appointment, for: input, warnings: warnings)
        }
        call.report("holding")
        do {
            let held = try await holding.hold(
                input.request,
                at: input.salon,
                minutes: input.minutes,
                key: input.key
            )
            let appointment = held.hold.appointment(of: input.request)
            let warnings = await warnings(about: appointment, at: input.salon, .cacheOnly)
            return HoldReply(held, of: appointment, for: input, warnings: warnings)
        } catch {
            throw error.withTimes(on: input.clock)
        }
    }
}
