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
                + "as they are, because it has changed since they were booked.",
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
        guard page.cursor.map({ $0.salonID == salon.id }) ?? true else {
            throw Problem(.invalidPage, "cursor must be from a page of the same salon")
        }
        let all = try await conflicts(at: salon, after: page.cursor?.id)
        var budget = PageBudget(limit: page.limit)
        let found = all.found.prefix { budget.take(bytes: $0.stored.approximateBytes) }
        let next = found.count < all.found.count ? found.last?.stored.id : all.next
        let body = ServedAppointment.encodePage(found, for: call.principal) { found, writer in
            writer.object { writer in
                ServedAppointment.writeMembers(of: found.stored, to: &writer)
                SalonConflictCodec.writeMembers(of: found.conflict, to: &writer)
            }
        }
        let cursor = next.map { PageCursor(salonID: salon.id, id: $0) }
        return ServerResponse(json: body).linkingNext(cursor.map { page.next($0, of: .conflicts) })
    }

    /// The number of conflicts among the first ``StoredConflicts/maximumCompared`` appointments.
    func conflictCount(at salon: Salon) async throws -> Int {
        try await conflicts(at: salon, after: nil).found.count
    }

    private func conflicts(
        at salon: Salon,
        after id: String?
    ) async throws -> (found: [StoredConflicts.Found], next: String?) {
        let finder = try SalonConflicts(of: salon, zones: zones)
        let conflicts = StoredConflicts(store: store, salon: salon.id, now: clock.now)
        return try await conflicts.find(finder, after: id)
    }
}
