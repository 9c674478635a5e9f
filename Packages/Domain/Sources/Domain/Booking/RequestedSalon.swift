/// The salon that a request names. It is looked up once and reloaded at most once per request.
public struct RequestedSalon: Sendable {
    /// The salon's identifier.
    public let id: SalonID
    /// The result of the last lookup.
    public private(set) var lookup: SalonLookup
    private let directory: any SalonDirectory
    private let zones: any ZoneSource
    private let wallClock: any WallClock
    private var isReloaded = false

    /// Looks up the salon `id`.
    public init(
        _ id: SalonID,
        in directory: any SalonDirectory,
        zones: any ZoneSource,
        clock: any WallClock
    ) async {
        self.id = id
        self.directory = directory
        self.zones = zones
        wallClock = clock
        lookup = await directory.salon(id)
    }

    /// The clock of the salon's time zone; nil if the salon is unknown, states no time zone, or
    /// states one that this machine does not know.
    public var zonedClock: SalonClock? {
        guard case .known(let salon, _) = lookup else { return nil }
        return SalonClock(zoneOf: salon, zones: zones)
    }

    /// Resolves `requested` to a time at the salon. If the time zone of a cached salon says which
    /// instant a local time is, or causes an error, the salon is reloaded first. If that fails, the
    /// cached time zone decides.
    public mutating func time(
        of requested: RequestedTime
    ) async throws(Failure) -> AppointmentTime {
        let clock = zonedClock
        switch requested {
        case .local, .relative: await reload()
        case .instant, .wallClock: break
        }
        do {
            return try requested.time(on: zonedClock ?? clock, now: wallClock.now)
        } catch {
            guard await reload() else { throw error }
            return try requested.time(on: zonedClock ?? clock, now: wallClock.now)
        }
    }

    /// Checks `request`, which moves the appointment `moved` unless that is nil, against the salon's
    /// rules at `now`. If the rules of a cached salon would
    /// cause a rejection, reloads the salon first. Accepts the request, so that the server decides,
    /// if the salon cannot be loaded or this machine does not know its time zone.
    mutating func check(
        _ request: BookingRequest,
        moving moved: Appointment? = nil,
        now: Timestamp
    ) async throws(Failure) {
        while true {
            guard case .known(let salon, let isCurrent) = lookup else {
                if lookup == .absent { throw .salonNotFound(id) }
                return
            }
            let clock = try? SalonClock(of: salon, zones: zones, for: request.time)
            guard let clock else { return }
            do {
                _ = try clock.time(of: .wallClock(request.time), now: now)
                let schedule = Schedule(of: salon, on: clock)
                return try BookingRules.check(request, moving: moved, by: schedule, now: now)
            } catch {
                if isCurrent { throw error }
                guard await reload() else { return }
            }
        }
    }

    /// Reloads a cached salon if its clock shows the instant of `time` differently. The server writes
    /// times on the clock that the salon has now.
    public mutating func reload(ifNotOnClock time: AppointmentTime) async {
        if let clock = zonedClock, clock.time(at: time.instant) != time { await reload() }
    }

    /// Reloads a salon that came from the cache, once. Returns false if there is no newer result.
    @discardableResult
    private mutating func reload() async -> Bool {
        guard !isReloaded, case .known(_, isCurrent: false) = lookup else { return false }
        isReloaded = true
        let latest = await directory.reloadedSalon(id)
        if latest == .unknown { return false }
        lookup = latest
        return true
    }
}

/// The use case that looks up a salon to interpret and show times on its wall clock.
public struct ReadSalonTime: Sendable {
    private let salons: any SalonDirectory
    private let zones: any ZoneSource
    private let clock: any WallClock

    /// Creates the use case.
    public init(salons: any SalonDirectory, zones: any ZoneSource, clock: any WallClock) {
        self.salons = salons
        self.zones = zones
        self.clock = clock
    }

    /// Looks up the salon `id` in the cache if it is fresh, otherwise on the server.
    public func salon(_ id: SalonID) async -> RequestedSalon {
        await RequestedSalon(id, in: salons, zones: zones, clock: clock)
    }

    /// The clock of the salon's time zone; nil if the salon is unknown, states no time zone, or
    /// states one that this machine does not know.
    public func zonedClock(of id: SalonID) async -> SalonClock? {
        await salon(id).zonedClock
    }

    /// The clock of the salon's time zone; nil if it states none, or one that this machine does not
    /// know.
    public func zonedClock(of salon: Salon) -> SalonClock? {
        SalonClock(zoneOf: salon, zones: zones)
    }
}

/// The port through which use cases look up salons.
public protocol SalonDirectory: Sendable {
    /// Looks up the salon `id` in the cache if it is fresh, otherwise on the server.
    func salon(_ id: SalonID) async -> SalonLookup
    /// Looks up the salon `id` on the server. Returns `unknown` if the server does not respond.
    func reloadedSalon(_ id: SalonID) async -> SalonLookup
}

/// The result of looking up a salon.
public enum SalonLookup: Sendable, Hashable {
    /// The salon was found. `isCurrent` means that the server just sent it. Only a current salon
    /// may cause a rejection.
    case known(Salon, isCurrent: Bool = true)
    /// The server's list does not contain the salon.
    case absent
    /// The salon could not be loaded, so the server decides about requests for it.
    case unknown
}
