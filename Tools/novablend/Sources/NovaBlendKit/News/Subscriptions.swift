import JSON
import JSONRPC
import Synchronization

/// The methods by which a caller asks to be told when a resource is another.
final class Subscriptions: Sendable {
    private let resources: [String]
    private let subscribers = Mutex<[String: Peer]>([:])
    private let onFirst: @Sendable () -> Void

    /// Offers subscriptions to `resources`; `onFirst` runs whenever somebody subscribes.
    init(to resources: [String], onFirst: @escaping @Sendable () -> Void) {
        self.resources = resources
        self.onFirst = onFirst
    }

    var methods: [Method] {
        [
            method(
                "resource/subscribe",
                "Sends resource/didChange when the resource is another, whoever changed it."
            ) { [self] name, peer in
                subscribers.withLock { $0[name] = peer }
                onFirst()
            },
            method("resource/unsubscribe", "Ends resource/subscribe.") { [self] name, _ in
                subscribers.withLock { $0[name] = nil }
            },
        ]
    }

    /// Tells whoever subscribed that `resource` is another now.
    func tell(_ resource: String) {
        subscribers.withLock { $0[resource] }?.notify(
            "resource/didChange",
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
            "which resource",
            isRequired: true,
            schema: Schemas.oneOf(resources)
        )
        return Method(
            name,
            summary,
            parameters: [parameter],
            result: .init("subscribed", "nothing more")
        ) { [resources] call throws(RPCError) in
            guard let name = try call.params.string("resource"), resources.contains(name) else {
                let known = resources.joined(separator: ", ")
                throw .invalidParams("\"resource\" must be one of \(known)", parameter: "resource")
            }
            change(name, call.peer)
            return .emptyObject
        }
    }
}
