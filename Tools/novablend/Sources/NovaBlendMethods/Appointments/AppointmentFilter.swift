import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// What a caller wants to see of the appointments.
struct AppointmentFilter {
    static let parameters: [Method.Parameter] = [
        .init("salonId", "a salon, a UUID", schema: Schemas.uuid),
        time("from", "the time from which they begin"),
        time("to", "the time before which they begin"),
        .init(
            "status",
            "booked (default), cancelled or all",
            schema: Schemas.oneOf(Appointment.Status.allCases.map(\.rawValue) + [everything])
        ),
    ]

    private static let everything = "all"

    var salonID: SalonID?
    /// The first instant at which they begin.
    var from: Timestamp?
    /// The first at which they begin no more.
    var to: Timestamp?
    /// nil for any.
    var status: Appointment.Status? = .booked

    init() {}

    /// Reads what a call says; -32602 where it makes no sense.
    init(_ call: Call, _ salons: LoadedSalons, _ times: ReadSalonTime) async throws(RPCError) {
        salonID = try call.params.read("salonId") { value throws(JSONError) in
            try SalonIDCodec.read(value)
        }
        let asked = (from: try Self.time("from", of: call), to: try Self.time("to", of: call))
        let isLocal = [asked.from, asked.to].contains {
            if case .local? = $0 { true } else { false }
        }
        let mayAsk = try LoadReply.strategy(of: call) != .cacheOnly
        let clock = isLocal ? await clock(salons, times, mayAsk: mayAsk) : nil
        from = try Self.instant("from", asked.from, clock)
        to = try Self.instant("to", asked.to, clock)
        if let from, let to, to < from {
            throw .invalidParams("\"to\" must not be before \"from\"", parameter: "to")
        }
        status = try Self.status(of: call)
    }

    func matches(_ appointment: Appointment) -> Bool {
        let booking = appointment.booking
        if let salonID, booking.salonID != salonID { return false }
        if let from, booking.time.instant < from { return false }
        if let to, booking.time.instant >= to { return false }
        return status == nil || appointment.status == status
    }

    /// A local time is meant on the wall clock of the salon that is asked for.
    private func clock(
        _ salons: LoadedSalons,
        _ times: ReadSalonTime,
        mayAsk: Bool
    ) async -> SalonClock? {
        guard let salonID else { return nil }
        if let kept = salons.kept([salonID])[salonID] { return times.zonedClock(of: kept) }
        return mayAsk ? await times.zonedClock(of: salonID) : nil
    }

    private static func instant(
        _ name: String,
        _ asked: RequestedTime?,
        _ clock: SalonClock?
    ) throws(RPCError) -> Timestamp? {
        guard let asked else { return nil }
        do throws(InvalidTimeError) {
            return try asked.time(on: clock).instant
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
