import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    static let bookingName = "bookAppointment"

    static let appointments = [
        Route(
            method: "GET",
            path: PathTemplate("/appointments"),
            name: "listAppointments",
            summary:
                "Lists the appointments that the caller may see, including cancelled ones, by salon "
                + "and then by id, or only by id for a customer.",
            parameters: [.limit, .cursor],
            successes: [
                .page(
                    ServedAppointment.pageSchema(),
                    "A page of appointments.",
                    isFollowed: true
                )
            ],
            problems: [.invalidPage, .storage],
            handler: { try await $0.listAppointments($1) }
        ),
        Route(
            method: "POST",
            path: PathTemplate("/appointments"),
            name: bookingName,
            summary: "Books an appointment.",
            parameters: [.idempotencyKey],
            body: Route.Body(summary: "The booking.", schema: bookingSchema),
            successes: [
                .created(
                    ServedAppointment.schema,
                    "The booked appointment.",
                    links: [
                        .init("getAppointment"),
                        .init("rescheduleAppointment", needsVersion: true),
                        .init("cancelAppointment", needsVersion: true),
                    ]
                )
            ],
            problems: [
                .salonNotFound, .notAllowed, .notYourHold, .keyVoided, .appointmentDeleted,
                .invalidBooking, .invalidKey,
            ] + ErrorKind.aboutTimes + [
                .tooManyAppointments, .idempotencyConflict, .storage, .storageFull,
            ],
            handler: { try await $0.book($1) }
        ),
        Route(
            method: "GET",
            path: PathTemplate("/appointments/{id}"),
            name: "getAppointment",
            summary: "Returns an appointment, even if it is cancelled.",
            parameters: [.appointmentID],
            successes: [.entity(ServedAppointment.schema, "The appointment.")],
            problems: [.appointmentNotFound, .storage],
            handler: { routes, call in
                let id = call.id
                let role = call.principal.role
                guard let stored = try await routes.store.appointment(id, visibleTo: role) else {
                    throw Problem.appointmentNotFound(id)
                }
                return routes.response(200, stored)
            }
        ),
    ]

    /// The schema of a booking, with the rules of ``BookingRules``.
    private static let bookingSchema = JSONSchema.object(
        ObjectSchema(bookingProperties).named("BookingRequest")
    )

    static let bookingProperties = BookingRequestCodec.properties.map { property in
        var property = property
        switch property.name {
        case "phone":
            property.schema = .string(
                pattern: "^(?![ +./()0-]*( ext[.] [0-9]*)?$)[+]?([ ./()-]*[0-9]){5,15}[ ./()-]*"
                    + "( ext[.] [0-9]{1,7})?$",
                maximumLength: Phone.maximumBytes
            )
        case "email":
            let part =
                #"[^@\x00-\x20\x7F-\xA0\xAD\u061C\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF]"#
            property.schema = .string(
                // Blank text means none. White space, control, and invisible characters are left out.
                pattern: "^(\(part)+@\(part)+)?$",
                maximumLength: Email.maximumBytes
            )
        case "notes":
            property.schema = .string(maximumLength: BookingRules.maximumNoteLength)
        default: break
        }
        return property
    }

    private func listAppointments(_ call: RouteCall) async throws -> ServerResponse {
        let page = try PageQuery(call.request, of: .appointments)
        let changes = try await changesCursor(of: page, for: call)
        let position = page.cursor.map { AppointmentPosition(salonID: $0.salonID, id: $0.id) }
        let appointments = try await store.appointments(
            after: position,
            limit: page.limit + 1,
            visibleTo: call.principal.role
        )
        var budget = PageBudget(limit: page.limit)
        let list = appointments.prefix { budget.take(bytes: $0.approximateBytes) }
        let last = list.count < appointments.count ? list.last : nil
        let cursor = last.map { PageCursor(salonID: $0.booking.salonID, id: $0.id) }
        return ServerResponse(json: ServedAppointment.encodePage(list, for: call.principal))
            .linkingNext(cursor.map { page.next($0, of: .appointments) })
            .followed(from: changes)
    }

    private func book(_ call: RouteCall) async throws -> ServerResponse {
        let request = try call.keyedRequest()
        let booking = try call.booking()
        try call.requireAccess(to: booking)
        return try await offeringAlternatives(to: (booking, nil), for: call.principal) {
            // The checks run only for a new booking: a repeated request gets the original response
            // even if its time has passed.
            let stored = try await store.book(booking, as: request, by: call.principal) { salon in
                try self.checkedPlan(for: booking, in: salon, by: call.principal)
            }
            return response(201, stored, location: "appointments/\(stored.id)")
        }
    }

    /// A response with an appointment and its version as `ETag`.
    func response(
        _ status: Int,
        _ stored: StoredAppointment,
        location: String? = nil
    ) -> ServerResponse {
        let body = JSONFragment { ServedAppointment.write(stored, to: &$0) }.bytes
        let tag = stored.entityTag
        return ServerResponse(status: status, json: body, tag: tag, location: location)
    }
}
