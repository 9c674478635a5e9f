import BookingStorage
import Domain
import HTTPServing

extension ServerRequest {
    /// Checks that `If-Match` matches the current version of an appointment. A request without it
    /// fails with 428 (RFC 6585, section 3), one with a different version with 412 (RFC 9110,
    /// section 13.1.1).
    func requireVersion(of stored: StoredAppointment) throws {
        guard let known = headers["if-match"] else {
            throw Problem(
                428,
                "preconditionRequired",
                "If-Match must contain the version to change, such as \"1\""
            )
        }
        let tags = known.split(separator: ",").map { $0.drop { $0 == " " } }
        let matches = tags.contains { tag in
            let text = tag.reversed().drop { $0 == " " }.reversed()
            return text.elementsEqual("*") || text.elementsEqual(stored.entityTag)
        }
        if matches { return }
        var problem = Problem(412, "versionConflict", "the appointment has changed since then")
        problem.appointment = stored.encoded
        throw problem
    }
}

extension StoredAppointment {
    /// The version as a strong entity tag.
    var entityTag: String { "\"\(version)\"" }
}
