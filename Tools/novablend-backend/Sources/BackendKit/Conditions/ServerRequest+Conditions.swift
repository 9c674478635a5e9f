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
