import Contract
import Domain
import JSON
import JSONRPC

/// What a caller wants to change in an appointment: its time where one is given, else that it takes
/// place at all.
struct ChangeCall {
    let request: ChangeRequest
    let key: String?

    var action: BookingAction.Name {
        if case .cancel = request.kind { .cancel } else { .reschedule }
    }

    init(_ params: Params) throws(RPCError) {
        guard let id = try params.string("id") else {
            throw .invalidParams("\"id\" is needed", parameter: "id")
        }
        let time = try params.read(AppointmentMethods.appointmentTime.name) {
            value throws(JSONError) in try RequestedTimeCodec.read(value)
        }
        request = ChangeRequest(
            id: id,
            version: try params.integer("version"),
            kind: time.map { .reschedule(to: $0) } ?? .cancel
        )
        key = try params.string(ConfirmedReply.key.name)
    }
}
