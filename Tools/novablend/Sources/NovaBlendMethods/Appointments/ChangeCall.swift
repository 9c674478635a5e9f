import Contract
import Domain
import JSON
import JSONRPC

/// The parameters of a call that changes an appointment. With a time, the call reschedules the
/// appointment; without a time, it cancels it.
struct ChangeCall {
    let request: ChangeRequest
    let key: String?

    var action: BookingAction.Name {
        if case .cancel = request.kind { .cancel } else { .reschedule }
    }

    init(_ params: Params) throws(RPCError) {
        guard let id = try params.string("id") else {
            throw .missing("id")
        }
        let time = try params.read(AppointmentMethods.appointmentTime.name) {
            value throws(JSONError) in try RequestedTimeCodec.read(value)
        }
        request = ChangeRequest(
            id: id,
            version: try params.integer("version"),
            kind: try time.map { time throws(RPCError) in
                .reschedule(to: time, changing: try BookingOptionParameters.change(of: params))
            } ?? .cancel
        )
        key = try params.string(ConfirmedReply.key.name)
    }
}
