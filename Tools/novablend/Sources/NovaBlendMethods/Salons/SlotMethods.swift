import Contract
package import Domain
import JSON
package import JSONRPC

/// The methods about slots.
package struct SlotMethods {
    private let slots: ListSlots

    package init(_ slots: ListSlots) {
        self.slots = slots
    }

    package var all: [Method] { [availability] }

    private var availability: Method {
        Method(
            "salons/availability",
            "Lists a salon's free times by day, over at most 31 days. To book one, pass its date "
                + "and time to appointments/book as appointmentTime: 2026-11-23T09:30, followed by "
                + "the offset if there is no timeZone.",
            title: "Show free slots",
            parameters: [
                .init("salonId", "the salon's id, a UUID", isRequired: true, schema: Schemas.uuid),
                Self.time("start", "the start of the range", isRequired: true),
                Self.time("end", "the end of the range; slots begin before it", isRequired: true),
                Self.time("explain", "a time to explain: can it be booked, and if not, why?"),
            ] + SlotSelection.parameters,
            result: .init(
                "availability",
                "the times by day, and their source",
                schema: AvailabilityView.schema
            )
        ) { [slots] call throws(RPCError) in
            let request = try Self.request(of: call.params)
            let selection = try SlotSelection(call)
            call.report("looking for slots")
            do throws(AvailabilityError) {
                return AvailabilityView(try await slots.list(request), selection).fragment
            } catch {
                throw RPCError(error)
            }
        }
    }

    private static func time(
        _ name: String,
        _ summary: String,
        isRequired: Bool = false
    ) -> Method.Parameter {
        .init(
            name,
            summary + ", ISO 8601; without offset where the salon has a time_zone",
            isRequired: isRequired,
            schema: Schemas.string
        )
    }

    private static func request(of params: Params) throws(RPCError) -> ListSlots.Request {
        let id = try params.read("salonId") { value throws(JSONError) in
            try SalonIDCodec.read(value)
        }
        guard let id, let start = try time("start", of: params),
            let end = try time("end", of: params)
        else { throw .invalidParams("\"salonId\", \"start\", and \"end\" are required") }
        return ListSlots.Request(
            salonID: id,
            start: start,
            end: end,
            explain: try time("explain", of: params)
        )
    }

    private static func time(
        _ name: String,
        of params: Params
    ) throws(RPCError) -> RequestedTime? {
        try params.read(name) { value throws(JSONError) in try RequestedTimeCodec.read(value) }
    }
}
