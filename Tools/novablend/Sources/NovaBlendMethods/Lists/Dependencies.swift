import Domain
import Networking
import Persistence

/// What every listed resource is made with.
struct Supplies: Sendable {
    let endpoints: Configuration.Endpoints
    let client: any HTTPClient
    let store: any SnapshotStore
    let clock: any WallClock
    let softDeadline: SoftDeadline
}
