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
                Route.Parameter(
                    "kinds",
                    in: .query,
                    .string(pattern: "^(salons|appointments)(,(salons|appointments))*$"),
                    "What the response contains, separated by commas: salons, appointments, or both. "
                        + "The cursor is after the changes of the other kind, too. By default, all that "
                        + "the caller may see; without a token, that is the salons."
                ),
            ],
            successes: [.entity(ServedChanges.schema, "The changes, and the next cursor.")],
            problems: [.cursorTooOld, .invalidPage, .storage],
            access: .partlyPublic,
            handler: { try await $0.listChanges($1) }
        )
    ]

    private static let maximumWait = 25

    /// The position of the last change, for the first page of a list; nil for the others. Call it
    /// before the list is read, so that no change is missed. It is also nil while a lock prevents that
    /// the position is read, because the list itself may not need the lock.
    func changesCursor(
        of page: PageQuery,
        for call: RouteCall
    ) async throws(Problem) -> String? {
        guard page.cursor == nil else { return nil }
        do {
            return try await changeFeed.latest().text(for: call.principal.role)
        } catch {
            guard error.failure?.kind == .locked else { throw error }
            return nil
        }
    }

    private func listChanges(_ call: RouteCall) async throws -> ServerResponse {
        let query = call.request.query
        let role = call.principal.role
        let cursor = try query["since"].map { try ChangeCursor($0, for: role) }
        guard let wait = PageQuery.number(query["wait"] ?? "0"), wait <= Self.maximumWait else {
            throw Problem(.invalidPage, "wait must be a number from 0 to \(Self.maximumWait)")
        }
        let scope = ChangeScope(role, try kinds(of: call))
        guard let cursor else {
            let latest = try await changeFeed.latest()
            return ServerResponse(json: ServedChanges.encode(latest, for: role))
        }
        let end = call.authentication.expiresAt
        let limit = end.map { $0.seconds(since: clock.now) } ?? .max
        let body = try await changeFeed.body(
            after: cursor,
            in: scope,
            of: call.principal == .anonymous ? call.request.clientNetwork : nil,
            waitingFor: .seconds(min(Int64(wait), max(limit, 0)))
        )
        // The token may have expired or been revoked meanwhile.
        try await authorization.confirm(call.authentication)
        return ServerResponse(json: body)
    }

    /// What the caller asks for. Throws `notAuthenticated` if that is not public, and the caller has no
    /// token or an invalid one.
    private func kinds(of call: RouteCall) throws -> ChangeKinds {
        let names: [Substring: ChangeKinds] = [
            "salons": .salons, "appointments": .appointments,
        ]
        let wanted = try call.request.parameter(
            "kinds",
            .invalidPage,
            "must be salons, appointments, or both with a comma"
        ) { text -> ChangeKinds? in
            var kinds: ChangeKinds = []
            for name in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let kind = names[name] else { return nil }
                kinds.insert(kind)
            }
            return kinds
        }
        guard call.principal == .anonymous, wanted != .salons else { return wanted ?? .all }
        if call.request.headers["Authorization"] != nil { throw Problem.invalidToken }
        guard wanted == nil else { throw Problem.missingToken }
        return .salons
    }
}
