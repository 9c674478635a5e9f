import Contract
import Domain
import JSON
import Testing

extension Answer {
    /// What a refusal says.
    struct Refusal {
        var name: String
        var rule: String?
        var alternatives: [AppointmentTime]
    }

    /// The appointment that was answered with.
    func appointment() throws -> Appointment {
        #expect((200...201).contains(status), "\(self)")
        return try AppointmentCodec.decode(Array(body.utf8))
    }

    /// The refusal that was answered with.
    func refusal() throws -> Refusal {
        let object = try JSONDocument(parsing: Array(body.utf8)).root.object()
        let times = try object.optional("alternatives")?.array()
        return Refusal(
            name: try object.required("error").string(),
            rule: try object.optional("rule")?.string(),
            alternatives: try times?.map { try AppointmentTimeCodec.read($0) } ?? []
        )
    }
}
