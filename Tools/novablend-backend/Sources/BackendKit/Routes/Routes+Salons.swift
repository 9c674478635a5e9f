import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    static let salons = [
        Route(
            method: "GET",
            path: PathTemplate("/salons"),
            name: "listSalons",
            summary: "Lists the salons, ordered by id.",
            parameters: [.limit, .cursor],
            successes: [.page(SalonListCodec.schema, "A page of salons.", isFollowed: true)],
            problems: [.invalidPage, .storage],
            caching: .revalidated,
            access: .public,
            handler: { try await $0.listSalons($1) }
        ),
        Route(
            method: "GET",
            path: PathTemplate("/salons/{id}"),
            name: "getSalon",
            summary: "Returns a salon.",
            parameters: [.salonID],
            successes: [.entity(SalonCodec.schema, "The salon.")],
            problems: [.salonNotFound, .storage],
            caching: .revalidated,
            access: .public,
            handler: { routes, call in
                let salon = try await routes.salon(call)
                let body = SalonCodec.encode(routes.withKnownZone(salon))
                return ServerResponse(json: body, tag: salon.entityTag)
            }
        ),
        Route(
            method: "PUT",
            path: PathTemplate("/salons/{id}"),
            name: "putSalon",
            summary: "Creates a salon, with `If-None-Match: *`, or replaces one, with `If-Match`.",
            parameters: [
                .salonID,
                .init(
                    "If-Match",
                    in: .header,
                    .string,
                    "The entity tag of the version to replace, or *."
                ),
                .init("If-None-Match", in: .header, .string, "Must be * to create the salon."),
                .init(
                    "keep",
                    in: .query,
                    .string(in: ["wallClock"]),
                    "What the future appointments of the salon keep if its clock shows different "
                        + "local times than when they were booked: `wallClock` moves them to the "
                        + "instants of these local times. By default they keep their instants."
                ),
            ],
            body: Route.Body(
                summary: "The salon, with the id in the path. Its version is ignored.",
                schema: SalonCodec.schema
            ),
            successes: [
                .entity(replacedSalonSchema, "The replaced salon."),
                .created(
                    SalonCodec.schema,
                    "The created salon.",
                    links: [.init("getSalon"), .init("deleteSalon", needsVersion: true)]
                ),
            ],
            problems: [
                .notAllowed, .salonNotFound, .versionConflict, .invalidSalon, .wallClockNotKept,
                .preconditionRequired, .storage, .storageFull,
            ],
            handler: { try await $0.putSalon($1) }
        ),
        Route(
            method: "DELETE",
            path: PathTemplate("/salons/{id}"),
            name: "deleteSalon",
            summary: "Deletes a salon that has no active appointments in the future.",
            parameters: [.salonID, .ifMatch],
            successes: [Route.Success(status: 204, summary: "The salon is deleted.")],
            problems: [
                .notAllowed, .salonNotFound, .salonHasBookings, .versionConflict,
                .preconditionRequired, .storage, .storageFull,
            ],
            handler: { routes, call in
                try call.requireAdministrator()
                let (id, condition) = (try call.salonID(), try call.request.salonCondition())
                try await routes.store.deleteSalon(id, if: condition, by: call.principal)
                return ServerResponse(status: 204, headers: [:])
            }
        ),
    ]

    private func listSalons(_ call: RouteCall) async throws -> ServerResponse {
        let page = try PageQuery(call.request, of: .salons)
        let changes = try await changesCursor(of: page, for: call)
        let found = try await store.encodedSalons(
            after: page.cursor?.salonID,
            limit: page.limit,
            maximumBytes: PageBudget.maximumBytes
        )
        let last = found.hasMore ? found.last : nil
        return ServerResponse(json: try body(of: found))
            .linkingNext(last.map { page.next(PageCursor(salonID: $0), of: .salons) })
            .followed(from: changes)
    }

    /// The body of a list of salons. What is stored is served as it is, unless a time zone is not known.
    private func body(of found: EncodedSalons) throws -> [UInt8] {
        var body = Array("{\"\(SalonListCodec.key)\":[".utf8)
        body.reserveCapacity(body.count + found.json.count + 2)
        body += found.json
        body += "]}".utf8
        let areZonesKnown = found.timeZones.allSatisfy { name in
            ZoneID(name).map { zones.rules(of: $0) != nil } ?? false
        }
        if areZonesKnown { return body }
        return SalonListCodec.encode(try SalonListCodec.decode(body).map(withKnownZone))
    }

    private func putSalon(_ call: RouteCall) async throws -> ServerResponse {
        let id = try call.salonID()
        try call.requireStaff(of: id)
        let condition = try call.request.salonCondition()
        if condition == .absent { try call.requireAdministrator() }
        var salon = try call.decode(SalonCodec.self, orThrow: .invalidSalon).withCanonicalIDs
        guard salon.id == id else {
            throw Problem(.invalidSalon, "id must be the id in the path")
        }
        if let zone = salon.timeZone, zones.rules(of: zone) == nil {
            throw Problem(.invalidSalon, "the backend does not know the time zone \(zone)")
        }
        let problems = SalonRules.problems(of: salon)
        if !problems.isEmpty {
            let list = problems.map { "\($0.path.isEmpty ? "the salon" : $0.path) \($0.reason)" }
            throw Problem(.invalidSalon, list.joined(separator: "; "))
        }
        salon.version = nil
        let keepsWallClock = try call.request.parameter("keep", .invalidSalon, "must be wallClock")
        {
            $0 == "wallClock" ? true : nil
        }
        let update = try await store.put(
            salon,
            if: condition,
            keepingWallClockBy: keepsWallClock == true ? schedule(of: salon) : nil,
            by: call.principal
        )
        let tag = update.salon.entityTag
        guard case .replaced(let stored, let moved) = update else {
            let body = SalonCodec.encode(update.salon)
            return ServerResponse(status: 201, json: body, tag: tag, location: id.description)
        }
        // The salon is replaced, whether or not the conflicts can be counted.
        let conflicts = try? await conflictCount(at: withKnownZone(stored))
        let body = ObjectFragment { writer in
            SalonCodec.writeMembers(of: stored, to: &writer)
            writer.member("moved", moved)
            writer.member("conflicts", conflicts)
        }
        return ServerResponse(json: body.fragment.bytes, tag: tag)
    }

    private static let replacedSalonSchema = JSONSchema.object(
        ObjectSchema(
            SalonCodec.properties + [
                .init("moved", .integer, "how many appointments `keep` has moved"),
                .optional(
                    "conflicts",
                    .integer,
                    "how many appointments `/salons/{id}/conflicts` lists, counted among about "
                        + "the first \(StoredConflicts.maximumCounted) future ones; absent if they could not be read"
                ),
            ]
        ).named("ReplacedSalon")
    )

    /// The salon in the path; throws `salonNotFound` if it does not exist.
    func salon(_ call: RouteCall) async throws -> Salon {
        let id = try call.salonID()
        guard let salon = try await store.salon(id) else {
            throw Problem.salonNotFound(id)
        }
        return salon
    }
}

extension RouteCall {
    /// The id of the salon in the path; throws `salonNotFound` if it is not an id.
    func salonID() throws(Problem) -> SalonID {
        guard let id = SalonID(pathValue) else {
            throw Problem(.salonNotFound, "there is no salon \(pathValue)")
        }
        return id
    }
}
