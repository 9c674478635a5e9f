import BookingStorage
import Domain
import HTTPServing

extension Routes {
    static let conflicts = [
        Route(
            method: "GET",
            path: PathTemplate("/salons/{id}/conflicts"),
            name: "listConflicts",
            summary: "Lists the active future appointments that the salon's hours do not allow.",
            parameters: [.salonID, .limit, .cursor],
            successes: [.page(ServedAppointment.pageSchema, "A page of appointments.")],
            problems: [.salonNotFound, .notAllowed, .invalidPage, .storage],
            handler: { try await $0.listConflicts($1) }
        )
    ]

    /// The number of appointments that are read at a time.
    private static let batchSize = 1_000
    /// The maximum number of batches for one page. A page may therefore be shorter than its limit,
    /// and even empty, although there is a next one.
    private static let maximumBatches = 10

    private func listConflicts(_ call: RouteCall) async throws -> ServerResponse {
        try call.requireStaff(of: try call.salonID())
        let page = try PageQuery(call.request, of: .conflicts)
        let salon = withKnownZone(try await salon(call))
        guard page.cursor.map({ $0.salonID == salon.id }) ?? true else {
            throw Problem(.invalidPage, "cursor must be from a page of the same salon")
        }
        let conflicts = try HoursConflicts(of: salon, zones: zones)
        var (found, position) = ([StoredAppointment](), page.cursor?.id)
        var budget = PageBudget(limit: page.limit)
        for _ in 0..<Self.maximumBatches {
            let batch = try await store.activeAppointments(
                of: salon.id,
                startingIn: clock.now..<Timestamp(secondsSince1970: .max),
                after: position,
                limit: Self.batchSize
            )
            for stored in batch
            where conflicts.contains(stored.appointment, minutes: stored.minutes, now: clock.now) {
                guard budget.take(bytes: stored.approximateBytes) else {
                    return response(found, page, of: salon.id, call, nextAfter: found.last?.id)
                }
                found.append(stored)
            }
            guard batch.count == Self.batchSize else {
                return response(found, page, of: salon.id, call)
            }
            position = batch.last?.id
        }
        return response(found, page, of: salon.id, call, nextAfter: position)
    }

    /// A page of conflicts, with a link to the next page if `last` is not nil.
    private func response(
        _ found: [StoredAppointment],
        _ page: PageQuery,
        of salonID: SalonID,
        _ call: RouteCall,
        nextAfter last: String? = nil
    ) -> ServerResponse {
        let cursor = last.map { PageCursor(salonID: salonID, id: $0) }
        return ServerResponse(json: ServedAppointment.encodePage(found, for: call.principal))
            .linkingNext(cursor.map { page.next($0, of: .conflicts) })
    }
}
