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
                    schema: Self.minutes
                ),
                ConfirmedReply.key, DryRun.parameter,
            ],
            result: .init("hold", "the hold, and how long it lasts", schema: HoldReply.schema),
            effect: .changes(isIdempotent: true),
            data: Self.data,
            errors: ProgramError.loading + Self.slotErrors + [
                .bookingRequiresConnection, .serverRejected, .tooManyHolds, .holdsUnsupported,
                .holdInDoubt,
            ],
            example: """
                {"salonId": "\(ExampleID.salon)", "appointmentTime": "2027-03-02T11:30:00+01:00", \
                "phone": "+33 6 55501234", "serviceId": "cut", "minutes": 10, \
                "idempotencyKey": "hold-1"}
                """,
            confirmation: { params throws(RPCError) in
                try await confirmation(before: HoldCall(params, times, salons))
            },
            handler: handleHold
        )
    }

    private func confirmation(before input: HoldCall) async throws(RPCError) -> Method.Confirmation
    {
        try await preview(input)
        let appointment = Appointment(booking: input.call.request)
        let details = AppointmentDetails(appointment: appointment, salon: input.call.salon)
        return Method.Confirmation(
            question: "Hold this time?",
            details: details.lines(),
            pinnedArguments: SalonReference.pinned(input.call.request.salonID)
        )
    }

    var release: Method {
        Method(
            Self.release,
            "Releases a hold, so that the time is free again.",
            title: "Release a hold",
            parameters: [
                .init(
                    "holdId",
                    "the hold's id, from \(Self.hold)",
                    isRequired: true,
                    schema: Schemas.string
                ), DryRun.parameter,
            ],
            result: .init(
                "release",
                "the released hold",
                schema: ObjectSchema([.init("holdId", Schemas.string), DryRun.property])
            ),
            effect: .changes(destroys: true, isIdempotent: true),
            data: Self.data,
            errors: [
                .bookingRequiresConnection, .serverRejected, .notAuthenticated, .notAllowed,
                .notConfigured, .tooManyHolds, .holdNotFound, .holdsUnsupported, .holdInDoubt,
            ],
            example: #"{"holdId": "\#(ExampleID.hold)"}"#,
            exampleFollows: [Self.hold],
            confirmation: { params throws(RPCError) in
                let id = try Self.holdID(in: params)
                return Method.Confirmation(
                    question: "Release this hold?",
                    details: ["Hold: \(VisibleText.line(id))"]
                )
            }
        ) { [holding] call throws(RPCError) in
            let id = try Self.holdID(in: call.params)
            let isDryRun = try DryRun.isWanted(call.params)
            do throws(HoldError) {
                if !isDryRun { try await holding.release(id) }
            } catch {
                throw RPCError(error)
            }
            return ObjectFragment { writer in
                writer.dryRun(isDryRun)
                writer.member("holdId", id)
            }
        }
    }

    private static let minutes =
        Schemas.positive.addingMember("maximum", JSONFragment { $0.integer(15) })

    private static func holdID(in params: Params) throws(RPCError) -> String {
        if let id = try BookingOptionParameters.id("holdId", in: params) { return id }
        throw .missing("holdId")
    }

    private func preview(_ input: HoldCall) async throws(RPCError) {
        do throws(HoldError) {
            try await holding.preview(
                input.call.request,
                at: input.call.salon,
                minutes: input.minutes,
                key: input.key
            )
        } catch {
            throw RPCError(error, on: input.call.clock)
        }
    }

    private func handleHold(_ call: Call) async throws(RPCError) -> ObjectFragment {
        let input = try await HoldCall(call.params, times, salons)
        if try DryRun.isWanted(call.params) {
            try await preview(input)
            return HoldReply.reply(nil, for: input.call)
        }
        call.report("holding")
        do throws(HoldError) {
            let held = try await holding.hold(
                input.call.request,
                at: input.call.salon,
                minutes: input.minutes,
                key: input.key
            )
            return HoldReply.reply(held, for: input.call)
        } catch {
            throw RPCError(error, on: input.call.clock)
        }
    }
}

/// The parameters of a call that holds a time.
private struct HoldCall {
    let call: BookingCall
    let minutes: Int?
    let key: String?

    init(_ params: Params, _ times: ReadSalonTime, _ salons: LoadedSalons) async throws(RPCError) {
        call = try await BookingCall(params, times, salons)
        minutes = try params.integer("minutes")
        key = try params.string(ConfirmedReply.key.name)
    }
}
