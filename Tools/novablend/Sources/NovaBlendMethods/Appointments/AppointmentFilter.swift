import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters
import NovaBlendTextSearch

/// The filter of a call that lists or exports appointments.
struct AppointmentFilter {
    static let parameters: [Method.Parameter] =
        [
            SalonReference.parameter(),
            .init("salon", "words in the name, location, or alias of salons"),
            .init("staffId", "a staff member's id, or words in the name"),
            .init("phone", "the last digits of the customer's number, at least 4").personal,
        ]
        + TimeRange.parameters + [
            .init(
                "status",
                "booked (default), cancelled, or all",
                .string(in: Appointment.Status.defined.map(\.name) + [everything])
            )
        ]

    private static let everything = "all"

    var salonID: SalonID?
    /// The salons that the caller's words match; nil for any.
    var salonIDs: Set<SalonID>?
    /// The id of the staff member, or words in the name; nil for anyone.
    var staff: String?
    /// The last digits of the customer's phone number; nil for any.
    var phone: PhoneEnding?
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
        salonIDs = try await SalonReference.ids(in: call.params, salons, mayLoad: mayLoad)
        staff = try call.params.string("staffId")
        phone = try Self.phone(of: call)
        let range = try TimeRange(call.params)
        (start, end) = (range.start, range.end)
        let today = LocalTime(now, offsetSeconds: 0)
        if let start, let end, end.absolute(at: today).isAtOrBefore(start.absolute(at: today)) {
            throw .invalidParams("\"end\" must be after \"start\"", parameter: "end")
        }
        status = try Self.status(of: call)
    }

    /// The appointments that match, in the same order.
    ///
    /// - Parameters:
    ///   - appointments: All appointments.
    ///   - salons: Finds salons. It is only called for the name of a staff member.
    ///   - clocks: Finds the clocks of salons. It is only called for a local bound.
    func filter(
        _ appointments: [Appointment],
        salons: (Set<SalonID>) async -> [SalonID: Salon] = { _ in [:] },
        clocks: (Set<SalonID>) async -> [SalonID: SalonClock]
    ) async -> [Appointment] {
        var candidates = appointments.filter { appointment in
            let booking = appointment.booking
            if let salonID, booking.salonID != salonID { return false }
            if let salonIDs, !salonIDs.contains(booking.salonID) { return false }
            if let phone, !phone.matches(booking.phone) { return false }
            return status == nil || appointment.isActive == (status != .cancelled)
                || includesRecentlyCancelled && isRecentlyCancelled(appointment)
        }
        if let staff {
            let known = await salons(Set(candidates.map(\.booking.salonID)))
            let query = TextQuery(staff)
            candidates.removeAll { appointment in
                let (id, salon) = (
                    appointment.booking.options.staffID, known[appointment.booking.salonID]
                )
                if id.map(ElementKey.init) == ElementKey(staff) { return false }
                return !(salon?.member(id).map { query.isFound(in: [$0.name]) } ?? false)
            }
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

    private static func phone(of call: Call) throws(RPCError) -> PhoneEnding? {
        guard let text = try call.params.string("phone") else { return nil }
        do { return try PhoneEnding(text) } catch {
            throw .invalidParams("\"phone\" \(error.reason)", parameter: "phone")
        }
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
