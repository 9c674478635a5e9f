import BookingStorage
import Contract
import HTTPServing
import WebPrimitives

extension ServerRequest {
    /// Checks that `If-Match` contains the current version of an appointment. A request without it
    /// fails with 428 (RFC 6585, section 3), one with a different version with 412 (RFC 9110,
    /// section 13.1.1).
    func requireVersion(of appointment: StoredAppointment) throws(Problem) {
        guard let expected = EntityTagList(headers.values(of: "If-Match")) else {
            throw Problem(
                .preconditionRequired,
                "If-Match must contain the version to change, such as \"1\""
            )
        }
        if expected.matchesStrongly(appointment.entityTag) { return }
        var problem = Problem(.versionConflict, "the appointment has changed since then")
        problem.appointment = appointment
        throw problem
    }

    /// The condition for creating or changing a salon: `If-Match` with versions or `*`, or
    /// `If-None-Match: *`. A request with none of these fails with 428.
    ///
    /// `If-None-Match` with versions is not supported and fails with 428, too.
    func salonCondition() throws(Problem) -> SalonCondition {
        let expected = EntityTagList(headers.values(of: "If-Match"))
        let excluded = EntityTagList(headers.values(of: "If-None-Match"))
        switch (expected, excluded) {
        case (nil, .any): return .absent
        case (.any, nil): return .present
        case (.tags(let tags), nil): return .version(Set(tags.compactMap(\.version)))
        // A salon cannot both exist and not exist.
        case (.some, .any): return .version([])
        case (_, .tags), (nil, nil):
            throw Problem(
                .preconditionRequired,
                "If-Match must contain the version to change, such as \"1\", or If-None-Match must "
                    + "be * to create a salon"
            )
        }
    }
}

extension EntityTag {
    /// The strong tag of a version.
    init(version: Int) { self.init(opaque: String(version)) }

    /// The version that the tag stands for; nil for a weak tag, and for text that no version has.
    var version: Int? {
        guard !isWeak, let version = Int(opaque), String(version) == opaque else { return nil }
        return version
    }
}

extension ServerResponse {
    /// A response with JSON, its entity tag, and the location of what was created.
    init(status: Int = 200, json body: [UInt8], tag: EntityTag? = nil, location: String? = nil) {
        self.init(status: status, body: body)
        headers["ETag"] = tag?.description
        headers["Location"] = location
    }

    /// The response to a GET or HEAD request with an `ETag`, by default a hash of its body and of the
    /// link to the next page: a cached last page is outdated once another page follows.
    /// Evaluates the conditions of the request in the order of RFC 9110, section 13.2.2: 412 if
    /// `If-Match` is not met, and 304 without a body if `If-None-Match` names the response.
    func conditional(on request: ServerRequest) throws(Problem) -> ServerResponse {
        guard status == 200, request.method == "GET" || request.method == "HEAD" else {
            return self
        }
        var response = self
        let tag = entityTag ?? EntityTag(opaque: String(contentHash, radix: 16))
        response.headers["ETag"] = tag.description
        if let expected = EntityTagList(request.headers.values(of: "If-Match")),
            !expected.matchesStrongly(tag)
        {
            throw Problem(.versionConflict, "If-Match does not contain the current version")
        }
        if let known = EntityTagList(request.headers.values(of: "If-None-Match")),
            known.matchesWeakly(tag)
        {
            (response.status, response.body) = (304, [])
        }
        return response
    }

    private var entityTag: EntityTag? { headers["ETag"].flatMap { EntityTag($0) } }

    private var contentHash: UInt64 {
        FNV1a.fastHash(body) ^ (headers["Link"].map { FNV1a.hash($0.utf8) } ?? 0)
    }
}

extension ServerResponse {
    /// The response with a link to the next page (RFC 8288). Its URL is relative to the URL of the
    /// request, so it is right behind every proxy.
    func linkingNext(_ query: String?) -> ServerResponse {
        adding(.link, query.map { "<?\($0)>; rel=\"next\"" })
    }

    /// The response with the position in the feed of changes from which the list is followed.
    func followed(from cursor: String?) -> ServerResponse {
        adding(.changesCursor, cursor)
    }

    private func adding(_ header: ResponseHeader, _ value: String?) -> ServerResponse {
        var response = self
        response.headers[header.rawValue] = value
        return response
    }
}
