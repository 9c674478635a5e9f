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

    /// The number of appointments that are read at a time.
    private static let batchSize = 1_000
    /// The maximum number of batches for one page. A page may therefore be shorter than its limit,
    /// and even empty, although there is a next one.
    private static let maximumBatches = 10
    /// The maximum number of appointments that are read for one page.
    static let maximumScanned = batchSize * maximumBatches

    private func listConflicts(_ call: RouteCall) async throws -> ServerResponse {
        try call.requireStaff(of: try call.salonID())
        let page = try PageQuery(call.request, of: .conflicts)
        let salon = withKnownZone(try await salon(call))
        guard page.cursor.map({ $0.salonID == salon.id }) ?? true else {
            throw Problem(.invalidPage, "cursor must be from a page of the same salon")
        }
        var found: [FoundConflict] = []
        var budget = PageBudget(limit: page.limit)
        var isFull = false
        let last = try await forEachConflict(at: salon, after: page.cursor?.id) { conflict in
            isFull = !budget.take(bytes: conflict.stored.approximateBytes)
            if !isFull { found.append(conflict) }
            return !isFull
        }
        let next = isFull ? found.last?.stored.id : last
        let body = ServedAppointment.encodePage(found, for: call.principal) { found, writer in
            writer.object { writer in
                ServedAppointment.writeMembers(of: found.stored, to: &writer)
                SalonConflictCodec.writeMembers(of: found.conflict, to: &writer)
            }
        }
        let cursor = next.map { PageCursor(salonID: salon.id, id: $0) }
        return ServerResponse(json: body).linkingNext(cursor.map { page.next($0, of: .conflicts) })
    }

    /// The number of conflicts among the first ``maximumScanned`` future appointments.
    func conflictCount(at salon: Salon) async throws -> Int {
        var count = 0
        _ = try await forEachConflict(at: salon, after: nil) { _ in
            count += 1
            return true
        }
        return count
    }

    private typealias FoundConflict = (stored: StoredAppointment, conflict: SalonConflict)

    /// Calls `body` with the conflicts among the next ``maximumScanned`` future appointments, until
    /// it returns false. Returns the id of the last appointment if there may be more of them.
    private func forEachConflict(
        at salon: Salon,
        after id: String?,
        _ body: (FoundConflict) -> Bool
    ) async throws -> String? {
        let conflicts = try SalonConflicts(of: salon, zones: zones)
        var position = id
        for _ in 0..<Self.maximumBatches {
            let now = clock.now
            let batch = try await store.activeAppointments(
                of: salon.id,
                startingIn: now..<Timestamp(secondsSince1970: .max),
                after: position,
                limit: Self.batchSize
            )
            for stored in batch {
                let (appointment, minutes) = (stored.appointment, stored.minutes)
                guard
                    let found = conflicts.conflict(of: appointment, minutes: minutes, now: now)
                else { continue }
                guard body((stored, found)) else { return nil }
            }
            guard batch.count == Self.batchSize else { return nil }
            position = batch.last?.id
        }
        return position
    }
}
