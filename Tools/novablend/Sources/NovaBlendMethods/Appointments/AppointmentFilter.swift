import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The filter of a call that lists or exports appointments.
struct AppointmentFilter {
    static let parameters: [Method.Parameter] =
        [SalonReference.parameter()]
        + TimeRange.parameters + [
            .init(
                "status",
                "booked (default), cancelled, or all",
                .string(in: Appointment.Status.defined.map(\.name) + [everything])
            )
        ]

    private static let everything = "all"

    var salonID: SalonID?
    /// The start of the range: appointments begin at this time or later.
    var start: RangeBound?
    /// The exclusive end of the range: appointments begin before this time.
    var end: RangeBound?
    /// The status of the appointments; nil for any. Booked includes every status but cancelled.
    var status: Appointment.Status? = .booked
    /// Whether appointments match that were cancelled in the last 30 days, whatever the status is. Only
    /// future appointments can be cancelled, so these are among the cancelled ones that begin later
    /// than 30 days ago.
    var includesRecentlyCancelled = false
    private let now = SystemClock().now

    init() {}

    /// Reads the parameters of a call; throws -32602 for invalid ones.
    init(_ call: Call, _ salons: LoadedSalons) async throws(RPCError) {
        let mayLoad = try LoadReply.strategy(of: call) != .cacheOnly
        salonID = try await SalonReference.id(in: call.params, salons, mayLoad: mayLoad)
        let range = try TimeRange(call.params)
        (start, end) = (range.start, range.end)
        let today = LocalTime(now, offsetSeconds: 0)
        if let start, let end, end.absolute(at: today).isAtOrBefore(start.absolute(at: today)) {
            throw .invalidParams("\"end\" must be after \"start\"", parameter: "end")
        }
        status = try Self.status(of: call)
    }

    /// The appointments that match, in the same order. `clocks` is only called for a local bound.
    func filter(
        _ appointments: [Appointment],
        clocks: (Set<SalonID>) async -> [SalonID: SalonClock]
    ) async -> [Appointment] {
        let candidates = appointments.filter { appointment in
            if let salonID, appointment.booking.salonID != salonID { return false }
            return status == nil || appointment.isActive == (status != .cancelled)
                || includesRecentlyCancelled && isRecentlyCancelled(appointment)
        }
        if start == nil, end == nil { return candidates }
        let isLocal = [start, end].contains { $0.map { $0.instant == nil } == true }
        let clocks = isLocal ? await clocks(Set(candidates.map(\.booking.salonID))) : [:]
        return candidates.filter { isInRange($0, on: clocks[$0.booking.salonID]) }
    }

    private func isRecentlyCancelled(_ appointment: Appointment) -> Bool {
        let start = now.advanced(bySeconds: -30 * 86_400)
        return !appointment.isActive && appointment.booking.time.instant >= start
    }

    /// Whether the appointment begins in the range. If the clock is nil, the offset of the
    /// appointment counts as that of the salon.
    private func isInRange(_ appointment: Appointment, on clock: SalonClock?) -> Bool {
        let booked = appointment.booking.time
        let time = clock?.time(at: booked.instant) ?? booked
        let today =
            clock?.time(at: now).localTime
            ?? LocalTime(now, offsetSeconds: booked.offsetMinutes * 60)
        if let start, !start.absolute(at: today).isReached(by: time) { return false }
        if let end, end.absolute(at: today).isReached(by: time) { return false }
        return true
    }

    private static func status(of call: Call) throws(RPCError) -> Appointment.Status? {
        guard let name = try call.params.string("status") else { return .booked }
        if name == everything { return nil }
        guard let status = Appointment.Status(defined: name) else {
            throw .invalidParams(
                "\"status\" must be booked, cancelled, or all",
                parameter: "status"
            )
        }
        return status
    }
}

extension RangeBound {
    /// The time on the clock of each appointment's salon; nil for an instant.
    fileprivate var local: LocalTime? {
        switch self {
        case .time(.local(let time)): time
        case .day(let date): LocalTime(date, TimeOfDay(minuteOfDay: 0))
        case .time, .relativeDay: nil
        }
    }

    fileprivate var instant: Timestamp? {
        switch self {
        case .time(.instant(let instant)): instant
        case .time(.wallClock(let time)): time.instant
        case .time, .day, .relativeDay: nil
        }
    }

    /// Whether `time` is at this bound or later.
    fileprivate func isReached(by time: AppointmentTime) -> Bool {
        local.map { time.localTime >= $0 } ?? instant.map { time.instant >= $0 } ?? false
    }

    /// Whether this bound is not after `other`; false if that depends on the salon's clock.
    fileprivate func isAtOrBefore(_ other: Self) -> Bool {
        if let one = instant, let other = other.instant { return one <= other }
        if let one = local, let other = other.local { return one <= other }
        return false
    }
}
