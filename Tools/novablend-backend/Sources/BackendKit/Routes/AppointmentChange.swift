import BookingStorage
import Contract
import Domain
import JSON

/// What a `PATCH` of an appointment changes.
struct AppointmentChange: Sendable {
    /// Which staff member the appointment is with afterwards.
    private enum Staff {
        /// The one whom the customer chose; otherwise anyone, preferably the present one.
        case unchanged
        case anyone
        case member(String)
    }

    /// The new time.
    private var time: AppointmentTime
    /// The new service; nil if it does not change.
    private var serviceID: String?
    private var staff: Staff
    /// The new number of seats; nil if it does not change.
    private var seats: Int?

    /// The schema of the body.
    static let schema = JSONSchema.object(
        ObjectSchema([
            .init("appointmentTime", AppointmentTimeCodec.schema, "ISO 8601 with an offset"),
            .init(
                "serviceId",
                LocalIDCodec.schema,
                "the new service; unchanged if absent",
                isRequired: false
            ),
            .init(
                "staffId",
                .anyOf([LocalIDCodec.schema, .null]),
                "the new staff member, or null for anyone; unchanged if absent",
                isRequired: false
            ),
            .init(
                "seats",
                .integer(in: BookingOptionsCodec.seatsRange),
                "the new number of seats; unchanged if absent",
                isRequired: false
            ),
        ]).named("AppointmentChange")
    )

    /// Reads a change. Throws a `mismatch` with the path of an invalid value.
    init(reading value: JSONValue) throws(JSONError) {
        let object = try value.object()
        time = try AppointmentTimeCodec.read(object.required("appointmentTime"))
        serviceID = try object.optional("serviceId").map(LocalIDCodec.read)
        staff = .unchanged
        if let id = object.member(named: "staffId") {
            staff = id.isNull ? .anyone : .member(try LocalIDCodec.read(id))
        }
        seats = try object.optional("seats").map(BookingOptionsCodec.readSeats)
    }

    /// The booking after the change, with the staff member that the customer chose, if any.
    func applied(to stored: StoredAppointment) -> BookingRequest {
        var booking = stored.booking
        booking.time = time
        booking.options = stored.requestedOptions
        booking.options.serviceID = serviceID ?? booking.options.serviceID
        booking.options.seats = seats ?? booking.options.seats
        switch staff {
        case .unchanged: break
        case .anyone: booking.options.staffID = nil
        case .member(let id): booking.options.staffID = id
        }
        return booking
    }
}
