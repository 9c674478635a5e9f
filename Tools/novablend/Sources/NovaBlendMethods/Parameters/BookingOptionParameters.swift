import Contract
import Domain
import JSON
import JSONRPC

/// The parameters for what a customer chooses besides the time: the service, the staff member, and the
/// number of seats.
enum BookingOptionParameters {
    static let all = [
        service("from \(ServiceMethods.services)"),
        staff("from \(ServiceMethods.staff); by default anyone who is free"),
        seats,
    ]

    static func service(_ summary: String) -> Method.Parameter {
        .init("serviceId", summary)
    }

    static func staff(_ summary: String) -> Method.Parameter {
        .init("staffId", summary)
    }

    static let seats = Method.Parameter("seats", "1 by default", .positive)

    /// Reads the options of a call.
    static func options(of params: Params) throws(RPCError) -> BookingOptions {
        BookingOptions(
            serviceID: try id("serviceId", in: params),
            staffID: try id("staffId", in: params),
            seats: try seatCount(in: params) ?? 1
        )
    }

    /// The parameter for leaving the choice of a staff member to the server again.
    static let anyStaff = Method.Parameter(
        "anyStaff",
        "anyone who is free instead of the chosen staff member",
        .boolean
    )

    /// Reads what a call changes. An omitted parameter changes nothing.
    static func change(of params: Params) throws(RPCError) -> OptionsChange {
        let staffID = try id("staffId", in: params)
        let isAnyone = try params.bool(anyStaff.name) ?? false
        if isAnyone, staffID != nil {
            throw .invalidParams(
                "\"\(anyStaff.name)\" cannot be true if \"staffId\" names someone",
                parameter: anyStaff.name
            )
        }
        return OptionsChange(
            serviceID: try id("serviceId", in: params),
            staff: isAnyone ? .anyone : staffID.map { .member($0) },
            seats: try seatCount(in: params)
        )
    }

    /// Reads an id of a service, a staff member, or a hold; nil if it is absent.
    static func id(_ name: String, in params: Params) throws(RPCError) -> String? {
        try params.read(name, LocalIDCodec.read)
    }

    private static func seatCount(in params: Params) throws(RPCError) -> Int? {
        try params.read(seats.name, BookingOptionsCodec.readSeats)
    }
}
