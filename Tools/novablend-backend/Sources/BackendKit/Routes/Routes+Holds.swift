import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    static let holds = [
        Route(
            method: "POST",
            path: PathTemplate("/holds"),
            name: "holdTime",
            summary: "Reserves a time for a few minutes, until it is booked with the hold's id.",
            parameters: [.idempotencyKey],
            body: Route.Body(
                summary: "The booking for which the time is reserved.",
                schema: .object(holdSchema)
            ),
            successes: [
                Route.Success(
                    status: 201,
                    summary: "The hold.",
                    content: .json(HoldCodec.schema),
                    headers: [.location],
                    links: [.init("releaseHold")]
                )
            ],
            problems: [.notAllowed, .salonNotFound, .invalidBooking, .invalidKey]
                + ErrorKind.aboutTimes + [
                    .idempotencyConflict, .keyVoided, .tooManyHolds, .tooManyAppointments, .storage,
                    .storageFull,
                ],
            handler: { try await $0.hold($1) }
        ),
        Route(
            method: "GET",
            path: PathTemplate("/holds/{id}"),
            name: "getHold",
            summary: "Returns a hold with what it holds, up to a day after it has ended.",
            parameters: [.init("id", in: .path, LocalIDCodec.schema, "The id of the hold.")],
            successes: [
                Route.Success(status: 200, summary: "The hold.", content: .json(HoldCodec.schema))
            ],
            problems: [.holdNotFound, .storage],
            handler: { routes, call in
                let role = call.principal.role
                guard let hold = try await routes.store.hold(call.id, visibleTo: role) else {
                    throw Problem.holdNotFound(call.id)
                }
                return ServerResponse(status: 200, json: HoldCodec.encode(hold.hold))
            }
        ),
        Route(
            method: "DELETE",
            path: PathTemplate("/holds/{id}"),
            name: "releaseHold",
            summary: "Releases a hold. It is not an error if it has ended already.",
            parameters: [.init("id", in: .path, LocalIDCodec.schema, "The id of the hold.")],
            successes: [.init(status: 204, summary: "The hold has ended.")],
            problems: [.holdNotFound, .storage, .storageFull],
            handler: { routes, call in
                try await routes.store.release(hold: call.id, by: call.principal)
                return ServerResponse(status: 204, headers: [:])
            }
        ),
    ]

    /// How many minutes a hold lasts.
    private static let minutes = 1...15
    private static let defaultMinutes = 5

    private static let holdSchema = ObjectSchema(
        bookingProperties.filter { $0.name != "holdId" } + [
            .optional(
                "minutes",
                .integer(in: minutes),
                "how long the hold lasts; \(defaultMinutes) by default"
            )
        ]
    ).named("HoldRequest")

    private func hold(_ call: RouteCall) async throws -> ServerResponse {
        let request = try call.keyedRequest()
        let booking = try call.booking()
        let minutes = try call.decode(orThrow: .invalidBooking, Self.readMinutes)
        if booking.holdID != nil {
            throw Problem(.invalidBooking, "holdId must be absent: a hold cannot be held again")
        }
        try call.requireAccess(to: booking)
        return try await offeringAlternatives(to: (booking, nil), for: call.principal) {
            let hold = try await store.hold(
                booking,
                seconds: Int64(minutes) * 60,
                as: request,
                by: call.principal
            ) { salon in try self.checkedPlan(for: booking, in: salon, by: call.principal) }
            let body = HoldCodec.encode(hold.hold)
            return ServerResponse(status: 201, json: body, location: "holds/\(hold.id)")
        }
    }

    private static func readMinutes(_ value: JSONValue) throws(JSONError) -> Int {
        guard let value = try value.object().optional("minutes") else { return defaultMinutes }
        let number = try value.integer()
        if minutes.contains(number) { return number }
        throw value.mismatch(
            expected: "a number of minutes from \(minutes.lowerBound) to \(minutes.upperBound)"
        )
    }
}
