import Contract
import Domain
import JSON

/// The JSON of what a reschedule changes besides the time: `serviceId`, `staffId`, and `seats`, each
/// absent if it stays. The `staffId` is null if the server should choose anyone who is free.
enum OptionsChangeCodec {
    static func read(_ object: JSONObject) throws(JSONError) -> OptionsChange {
        var change = OptionsChange(
            serviceID: try object.optional("serviceId").map(LocalIDCodec.read),
            seats: try object.optional("seats").map(BookingOptionsCodec.readSeats)
        )
        if let staff = object["staffId"] {
            change.staff = staff.isNull ? .anyone : .member(try LocalIDCodec.read(staff))
        }
        return change
    }

    static func writeMembers(of change: OptionsChange, to writer: inout JSONWriter) {
        writer.member("serviceId", change.serviceID)
        switch change.staff {
        case .member(let id): writer.member("staffId", id)
        case .anyone:
            writer.key("staffId")
            writer.null()
        case nil: break
        }
        writer.member("seats", change.seats)
    }
}
