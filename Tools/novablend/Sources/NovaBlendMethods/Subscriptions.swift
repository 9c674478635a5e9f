package import Domain
import JSON
package import JSONRPC
package import NovaBlendAdapters
import Synchronization

/// The methods by which a caller subscribes to changes of a resource.
package final class Subscriptions: Sendable {
    private static let didChange = "resource/didChange"

    private let resources: [String]
    private let subscribers = Mutex<[String: Peer]>([:])
    private let onChange: @Sendable () -> Void

    /// Makes the methods for `resources`. `onChange` runs after each change of
    /// ``active``.
    package init(to resources: [String], onChange: @escaping @Sendable () -> Void) {
        self.resources = resources
        self.onChange = onChange
    }

    /// The subscribed resources.
    package var active: Set<String> { subscribers.withLock { Set($0.keys) } }

    package var methods: [Method] {
        [
            method(
                "resource/subscribe",
                "Sends \(Self.didChange) when the resource changes, on this machine or at the server: "
                    + "within a second if the server has a feed of changes, otherwise after 30 s. The "
                    + "notification has `changed` and `deleted`, the ids of the elements, or `\"all\": "
                    + "true` if they are not known, and the `provenance` of the cached list. There are at "
                    + "most four a second."
            ) { [self] name, peer in
                subscribers.withLock { $0[name] = peer }
                onChange()
            },
            method("resource/unsubscribe", "Ends a subscription.") { [self] name, _ in
                subscribers.withLock { $0[name] = nil }
                onChange()
            },
        ]
    }

    /// Notifies the subscriber of what has changed in `resource`. `provenance` is that of the cached
    /// resource; nil if it is not cached any more.
    package func notify(_ resource: String, _ change: ListChange, _ provenance: Provenance?) {
        guard let peer = subscribers.withLock({ $0[resource] }) else { return }
        let params = ObjectFragment { writer in
            writer.member("resource", resource)
            change.write(to: &writer)
            if let provenance { LoadReply.write(provenance, to: &writer) }
        }
        peer.notify(Self.didChange, params.fragment)
    }

    private func method(
        _ name: String,
        _ summary: String,
        _ change: @escaping @Sendable (String, Peer) -> Void
    ) -> Method {
        Method(
            name,
            summary,
            parameters: [
                .init("resource", "the resource", isRequired: true, .string(in: self.resources))
            ],
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

extension ListChange {
    /// Writes the members of a notification.
    fileprivate func write(to writer: inout JSONWriter) {
        if isAll { return writer.member("all", true) }
        writer.member("changed", changed.sorted())
        writer.member("deleted", deleted.sorted())
    }
}
