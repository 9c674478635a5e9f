package import Domain

/// A list that can follow the changes at its server.
package struct LiveList: Sendable {
    let name: String
    /// Whether the list follows the changes.
    let state: @Sendable () -> FollowerState
    /// Waits for a change at the server, for `wait` at most, and brings the cached list up to date.
    let update: @Sendable (_ wait: Duration) async throws(Failure) -> FollowedChanges

    /// Creates a list. `loader` is made when it is used.
    package init<Value>(
        _ name: String,
        _ loader: @escaping @autoclosure @Sendable () -> ResourceLoader<Value>
    ) {
        self.name = name
        state = { loader().followerState }
        update = { wait throws(Failure) in try await loader().update(waiting: wait) }
    }

    var isFollowing: Bool { if case .following = state() { true } else { false } }
}
