import JSON
package import JSONRPC
import Synchronization

/// The methods by which a caller subscribes to changes of a resource.
package final class Subscriptions: Sendable {
    private static let didChange = "resource/didChange"

    private let resources: [String]
    private let subscribers = Mutex<[String: Peer]>([:])
    private let onSubscription: @Sendable () -> Void

    /// Makes the methods for `resources`. `onSubscription` runs after each subscription.
    package init(to resources: [String], onSubscription: @escaping @Sendable () -> Void) {
        self.resources = resources
        self.onSubscription = onSubscription
    }

    /// The subscribed resources.
    package var active: Set<String> { subscribers.withLock { Set($0.keys) } }

    package var methods: [Method] {
        [
            method(
                "resource/subscribe",
                "Sends \(Self.didChange) when the resource changes, through this program or at the "
                    + "server, which is polled every 30 s."
            ) { [self] name, peer in
                subscribers.withLock { $0[name] = peer }
                onSubscription()
            },
            method("resource/unsubscribe", "Ends a subscription.") { [self] name, _ in
                subscribers.withLock { $0[name] = nil }
            },
        ]
    }

    /// Notifies the subscriber that `resource` has changed.
    package func notify(_ resource: String) {
        subscribers.withLock { $0[resource] }?.notify(
            Self.didChange,
            JSONFragment { writer in writer.object { $0.member("resource", resource) } }
        )
    }

    private func method(
        _ name: String,
        _ summary: String,
        _ change: @escaping @Sendable (String, Peer) -> Void
    ) -> Method {
        let parameter = Method.Parameter(
            "resource",
            "the resource",
            isRequired: true,
            schema: Schemas.oneOf(resources)
        )
        return Method(
            name,
            summary,
            parameters: [parameter],
            result: .init("subscribed", "an empty object"),
            data: DataAccess.none,
            errors: [],
            example: #"{"resource": "salons"}"#
        ) { [resources] call throws(RPCError) in
            guard let name = try call.params.string("resource"), resources.contains(name) else {
                let known = resources.joined(separator: ", ")
                throw .invalidParams("\"resource\" must be one of \(known)", parameter: "resource")
            }
            change(name, call.peer)
            return .empty
        }
    }
}
