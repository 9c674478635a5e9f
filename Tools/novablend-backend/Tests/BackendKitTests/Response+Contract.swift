import Contract
import Domain
import JSON
import Testing

extension Response {
    /// The members of an error response.
    struct ErrorBody {
        var name: String
        var rule: String?
        var alternatives: [AppointmentTime]
    }

    /// Decodes the body as an appointment. The status must be 200 or 201.
    func appointment() throws -> Appointment {
        #expect((200...201).contains(status), "\(self)")
        return try AppointmentCodec.decode(Array(body.utf8))
    }

    /// Decodes the body as an error.
    func errorBody() throws -> ErrorBody {
        let object = try JSONDocument(parsing: Array(body.utf8)).root.object()
        let times = try object.optional("alternatives")?.array()
        return ErrorBody(
            name: try object.required("error").string(),
            rule: try object.optional("rule")?.string(),
            alternatives: try times?.map { try AppointmentTimeCodec.read($0) } ?? []
        )
    }
}
