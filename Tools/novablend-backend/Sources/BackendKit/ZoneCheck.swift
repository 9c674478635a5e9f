import Domain
import Synchronization

/// Removes time zones that this machine does not know, and logs each of them once.
final class ZoneCheck: Sendable {
    private let zones: any ZoneSource
    private let log: @Sendable (LogEntry) -> Void
    private let logged = Mutex<Set<ZoneID>>([])

    init(zones: any ZoneSource, log: @escaping @Sendable (LogEntry) -> Void) {
        self.zones = zones
        self.log = log
    }

    /// The salon, without its time zone if this machine does not know the zone. Client and backend
    /// then use the offset in each request for the salon's local time.
    func withKnownZone(_ salon: Salon) -> Salon {
        guard let zone = salon.timeZone, zones.rules(of: zone) == nil else { return salon }
        if logged.withLock({ $0.insert(zone).inserted }) {
            let problem =
                "this machine does not know \(zone), the time zone of \(salon.name); install tzdata"
            log(.message(problem, .warning))
        }
        var salon = salon
        salon.timeZone = nil
        return salon
    }
}
