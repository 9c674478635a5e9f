package import Domain
package import Networking
package import NovaBlendAccounts
package import Persistence

/// What every listed resource is made with.
package struct ListDependencies: Sendable {
    let endpoints: Endpoints
    let client: any HTTPClient
    let store: any SnapshotStore
    let clock: any WallClock
    let softDeadline: SoftDeadline
    package init(
        endpoints: Endpoints,
        client: any HTTPClient,
        store: any SnapshotStore,
        clock: any WallClock,
        softDeadline: SoftDeadline
    ) {
        self.endpoints = endpoints
        self.client = client
        self.store = store
        self.clock = clock
        self.softDeadline = softDeadline
    }

}
