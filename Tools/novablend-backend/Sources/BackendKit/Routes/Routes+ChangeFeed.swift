import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    static let feed = [
        Route(
            method: "GET",
            path: PathTemplate("/changes"),
            name: "listChanges",
            summary:
                "Returns what the caller may see of the changes since a cursor, or a new cursor.",
            parameters: [
                Route.Parameter(
                    "since",
                    in: .query,
                    Route.Parameter.cursorText,
                    "The cursor of an earlier response. Without it, only a cursor is returned."
                ),
                Route.Parameter(
                    "wait",
                    in: .query,
                    .integer(in: 0...maximumWait),
                    "How many seconds to wait if nothing has changed since the cursor."
                ),
            ],
            successes: [.entity(ServedChanges.schema, "The changes, and the next cursor.")],
            problems: [.cursorTooOld, .invalidPage, .storage],
            handler: { try await $0.listChanges($1) }
        )
    ]

    private static let maximumWait = 25

    /// The position of the last change, for the first page of a list; nil for the others. Call it
    /// before the list is read, so that no change is missed.
    func changesCursor(
        of page: PageQuery,
        for call: RouteCall
    ) async throws(StoreError) -> String? {
        guard page.cursor == nil else { return nil }
        return try await changeFeed.latest().text(for: call.principal.role)
    }

    private func listChanges(_ call: RouteCall) async throws -> ServerResponse {
        let query = call.request.query
        let role = call.principal.role
        let cursor = try query["since"].map { text throws(Problem) in
            try ChangeCursor(text, for: role)
        }
        guard let wait = PageQuery.number(query["wait"] ?? "0"), wait <= Self.maximumWait else {
            throw Problem(.invalidPage, "wait must be a number from 0 to \(Self.maximumWait)")
        }
        guard let cursor else {
            let latest = try await changeFeed.latest()
            return ServerResponse(json: ServedChanges.encode(latest, for: role))
        }
        let end = call.authentication.expiresAt
        let limit = end.map { $0.seconds(since: clock.now) } ?? .max
        let body = try await changeFeed.body(
            after: cursor,
            for: role,
            waitingFor: .seconds(min(Int64(wait), max(limit, 0)))
        )
        // The token may have expired or been revoked meanwhile.
        try await authorization.confirm(call.authentication)
        return ServerResponse(json: body)
    }
}
