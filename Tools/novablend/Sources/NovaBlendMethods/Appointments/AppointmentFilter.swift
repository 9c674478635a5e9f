import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The filter of a call that lists or exports appointments.
struct AppointmentFilter {
    static let parameters: [Method.Parameter] = [
        .init("salonId", "a salon, a UUID", schema: Schemas.uuid),
        time("start", "only appointments that begin at this time or later"),
        time("end", "only appointments that begin before this time"),
        .init(
            "status",
            "booked (default), cancelled or all",
            schema: Schemas.oneOf(Appointment.Status.allCases.map(\.rawValue) + [everything])
        ),
    ]

    private static let everything = "all"

    var salonID: SalonID?
    /// Appointments begin at or after this instant.
    var start: Timestamp?
    /// Appointments begin before this instant.
    var end: Timestamp?
    /// The status of the appointments; nil for any.
    var status: Appointment.Status? = .booked

    init() {}

    /// Reads the parameters of a call; throws -32602 for invalid ones.
    init(_ call: Call, _ salons: LoadedSalons, _ times: ReadSalonTime) async throws(RPCError) {
        salonID = try call.params.read("salonId") { value throws(JSONError) in
            try SalonIDCodec.read(value)
        }
        let requested = (
            start: try Self.time("start", of: call), end: try Self.time("end", of: call)
        )
        let isLocal = [requested.start, requested.end].contains {
            if case .local? = $0 { true } else { false }
        }
        let mayLoad = try LoadReply.strategy(of: call) != .cacheOnly
        let clock = isLocal ? await clock(salons, times, mayLoad: mayLoad) : nil
        start = try Self.instant("start", requested.start, clock)
        end = try Self.instant("end", requested.end, clock)
        if let start, let end, end < start {
            throw .invalidParams("\"end\" must not be before \"start\"", parameter: "end")
        }
        status = try Self.status(of: call)
    }

    func matches(_ appointment: Appointment) -> Bool {
        let booking = appointment.booking
        if let salonID, booking.salonID != salonID { return false }
        if let start, booking.time.instant < start { return false }
        if let end, booking.time.instant >= end { return false }
        return status == nil || appointment.status == status
    }

    /// The wall clock of the requested salon, for times without an offset.
    private func clock(
        _ salons: LoadedSalons,
        _ times: ReadSalonTime,
        mayLoad: Bool
    ) async -> SalonClock? {
        guard let salonID else { return nil }
        if let salon = salons.cached([salonID])[salonID] { return times.zonedClock(of: salon) }
        return mayLoad ? await times.zonedClock(of: salonID) : nil
    }

    private static func instant(
        _ name: String,
        _ requested: RequestedTime?,
        _ clock: SalonClock?
    ) throws(RPCError) -> Timestamp? {
        guard let requested else { return nil }
        do throws(InvalidTimeError) {
            return try requested.time(on: clock).instant
        } catch {
            throw RPCError(error, field: name)
        }
    }

    private static func time(_ name: String, of call: Call) throws(RPCError) -> RequestedTime? {
        try call.params.read(name) { value throws(JSONError) in try RequestedTimeCodec.read(value) }
    }

    private static func status(of call: Call) throws(RPCError) -> Appointment.Status? {
        guard let name = try call.params.string("status") else { return .booked }
        if name == everything { return nil }
        guard let status = Appointment.Status(rawValue: name) else {
            throw .invalidParams(
                "\"status\" must be booked, cancelled or all",
                parameter: "status"
            )
        }
        return status
    }

    private static func time(_ name: String, _ summary: String) -> Method.Parameter {
        .init(
            name,
            summary + ", ISO 8601; without offset with the salonId of a salon with a time_zone",
            schema: Schemas.string
        )
    }
}
