/// The salon that a request names, looked up once and reloaded at most once while the request is
/// handled.
public struct RequestedSalon: Sendable {
    /// The salon's identity.
    public let id: SalonID
    /// What is known of the salon.
    public private(set) var lookup: SalonLookup
    private let directory: any SalonDirectory
    private let zones: any ZoneSource

    /// Looks `id` up.
    public init(_ id: SalonID, in directory: any SalonDirectory, zones: any ZoneSource) async {
        self.id = id
        self.directory = directory
        self.zones = zones
        lookup = await directory.salon(id)
    }

    /// The clock of the salon's time zone; nil unless the salon is known to have a zone that this
    /// machine knows.
    public var zonedClock: SalonClock? {
        guard case .known(let salon, _) = lookup, salon.timeZone != nil else { return nil }
        return try? SalonClock(of: salon, zones: zones, offsetMinutes: 0)
    }

    /// The time that `requested` names at the salon. A cached salon is reloaded before its zone
    /// causes a rejection.
    public mutating func time(
        of requested: RequestedTime
    ) async throws(InvalidTimeError) -> AppointmentTime {
        let clock = zonedClock
        do throws(InvalidTimeError) {
            return try requested.time(on: clock)
        } catch {
            guard await reload() else { throw error }
            return try requested.time(on: zonedClock ?? clock)
        }
    }

    /// Checks `request` by the rules of the salon at `now`. A cached salon is reloaded before its
    /// rules cause a rejection; if that fails, the server decides. It also decides about a salon whose
    /// zone is unknown here.
    mutating func check(_ request: BookingRequest, now: Timestamp) async throws(BookingError) {
        var isReloaded = false
        while true {
            let salon: Salon
            switch lookup {
            case .known(let known, _): salon = known
            case .absent: throw .salonNotFound(id)
            case .unknown: return
            }
            let offset = request.time.offsetMinutes
            let clock = try? SalonClock(of: salon, zones: zones, offsetMinutes: offset)
            guard let clock else { return }
            do throws(BookingError) {
                do throws(InvalidTimeError) { _ = try clock.read(.wallClock(request.time)) } catch {
                    throw .invalidTime(error)
                }
                let schedule = Schedule(of: salon, on: clock)
                return try BookingRules.check(request, by: schedule, now: now)
            } catch {
                guard !isReloaded, await reload() else { throw error }
                isReloaded = true
            }
        }
    }

    /// Asks the server if the salon came from the cache; false if it did not.
    private mutating func reload() async -> Bool {
        guard case .known(_, isCurrent: false) = lookup else { return false }
        lookup = await directory.reloadedSalon(id)
        return true
    }
}
