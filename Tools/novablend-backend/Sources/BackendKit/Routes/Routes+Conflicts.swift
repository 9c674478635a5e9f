import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    static let conflicts = [
        Route(
            method: "GET",
            path: PathTemplate("/salons/{id}/conflicts"),
            name: "listConflicts",
            summary: "Lists the active future appointments that the salon would not accept anymore "
                + "as they are, because it has changed since they were booked, by their starts.",
            parameters: [.salonID, .limit, .cursor],
            successes: [
                .page(ServedAppointment.pageSchema(of: conflictSchema), "A page of appointments.")
            ],
            problems: [.salonNotFound, .notAllowed, .invalidPage, .storage],
            handler: { try await $0.listConflicts($1) }
        )
    ]

    private static let conflictSchema = JSONSchema.object(
        ObjectSchema(ServedAppointment.properties + SalonConflictCodec.properties)
            .named("Conflict")
    )

    private func listConflicts(_ call: RouteCall) async throws -> ServerResponse {
        try call.requireStaff(of: try call.salonID())
        let page = try PageQuery(call.request, of: .conflicts)
        let salon = withKnownZone(try await salon(call))
        let position = page.cursor.flatMap { StoredConflicts.Position($0.id) }
        guard page.cursor == nil || (page.cursor?.salonID == salon.id && position != nil) else {
            throw Problem(.invalidPage, "cursor must be from a page of the same salon")
        }
        let part = try await conflicts(at: salon).find(finder(of: salon), after: position)
        var budget = PageBudget(limit: page.limit)
        let found = part.found.prefix { budget.take(bytes: $0.stored.approximateBytes) }
        let isWhole = found.count == part.found.count
        let next = isWhole ? part.next : found.last.map(part.position(after:))
        let body = ServedAppointment.encodePage(found, for: call.principal) { found, writer in
            writer.object { writer in
                ServedAppointment.writeMembers(of: found.stored, to: &writer)
                SalonConflictCodec.writeMembers(of: found.conflict, to: &writer)
            }
        }
        let cursor = next.map { PageCursor(salonID: salon.id, id: $0.description) }
        return ServerResponse(json: body).linkingNext(cursor.map { page.next($0, of: .conflicts) })
    }

    /// The number of conflicts among about the first ``StoredConflicts/maximumCounted`` appointments.
    func conflictCount(at salon: Salon) async throws -> Int {
        try await conflicts(at: salon).count(finder(of: salon))
    }

    private func conflicts(at salon: Salon) -> StoredConflicts {
        StoredConflicts(store: store, salon: salon.id, now: clock.now)
    }

    private func finder(of salon: Salon) throws -> SalonConflicts {
        try SalonConflicts(of: salon, zones: zones)
    }
}
