import Domain

extension ServerRequest {
    /// Refuses a change of an appointment by a client that does not say which version it knows (RFC
    /// 6585, section 3), or that knows another than there is (RFC 9110, section 13.1.1).
    func requireVersion(of entry: BookingStore.Entry) throws {
        guard let known = headers["if-match"] else {
            throw Problem(
                428,
                "preconditionRequired",
                "If-Match must name the version that is to be changed, like \"1\""
            )
        }
        let tags = known.split(separator: ",").map { $0.drop { $0 == " " } }
        let matches = tags.contains { tag in
            let text = tag.reversed().drop { $0 == " " }.reversed()
            return text.elementsEqual("*") || text.elementsEqual(entry.appointment.entityTag)
        }
        if matches { return }
        var problem = Problem(412, "versionConflict", "the appointment was changed since")
        problem.appointment = entry.encoded
        throw problem
    }
}

extension Appointment {
    /// Its version as HTTP says it: a strong tag.
    var entityTag: String { "\"\(version ?? 1)\"" }
}
