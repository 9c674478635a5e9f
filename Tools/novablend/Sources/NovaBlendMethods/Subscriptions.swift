import Contract
package import Domain
import JSON
package import JSONRPC
package import NovaBlendAdapters
import Synchronization

/// The methods by which a caller subscribes to changes of a resource.
package final class Subscriptions: Sendable {
    /// The name of the notification of a change.
    static let didChange = "resource/didChange"

    /// The params of the notification: those of a change, or those of an outage, which has `offline`.
    static let event = JSONSchema.anyOf([
        .object(
            ObjectSchema([
                .init("resource", .string),
                .init(
                    "changed",
                    .array(of: .string),
                    "the ids of elements that are new or different"
                ),
                .init("deleted", .array(of: .string), "the ids of elements that are gone"),
                .optional(
                    "all",
                    .boolean.defaulting { $0.bool(false) },
                    "true if other elements may have changed, too"
                ),
                .optional(
                    Schemas.provenance.name,
                    Schemas.provenance.schema,
                    "the source of the cached list, and how old it is"
                ),
            ]).named("Change")
        ),
        .object(
            ObjectSchema([.init("resource", .string)] + OutageView.properties).named("Outage")
        ),
    ])

    private let resources: [String]
    private let subscribers = Mutex<[String: Peer]>([:])
    private let provenance: @Sendable (String) -> Provenance?
    private let onChange: @Sendable () -> Void

    /// Makes the methods for `resources`. `provenance` returns that of a cached resource; nil if it
    /// is not cached any more. `onChange` runs after each change of ``active``.
    package init(
        to resources: [String],
        provenance: @escaping @Sendable (String) -> Provenance?,
        onChange: @escaping @Sendable () -> Void
    ) {
        (self.resources, self.provenance, self.onChange) = (resources, provenance, onChange)
    }

    /// The subscribed resources.
    package var active: Set<String> { subscribers.withLock { Set($0.keys) } }

    package var methods: [Method] {
        [
            method(
                "resource/subscribe",
                "Sends \(Self.didChange) when the resource changes, on this machine or at the server: "
                    + "within a second if the server has a feed of changes, otherwise within about 30 s. The "
                    + "notification has `changed` and `deleted`, the ids of the elements, `\"all\": true` "
                    + "if other elements may have changed, too, and the `provenance` of the cached list. "
                    + "There are at most four a second for each resource. For salons and appointments, one is "
                    + "also sent, with `offline`, when the server stops answering and when it answers "
                    + "again, because the age of the list matters then."
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

    /// Notifies the subscriber of what has changed in `resource`.
    package func notify(_ resource: String, _ change: ListChange) {
        guard let peer = subscribers.withLock({ $0[resource] }) else { return }
        Self.send(resource, change, to: peer) { writer in
            if let provenance = provenance(resource) { LoadReply.write(provenance, to: &writer) }
        }
    }

    /// Notifies the subscribers of `resources` that their server does not answer, or answers again.
    package func notify(_ resources: [String], _ outage: OutageView) {
        let peers = subscribers.withLock(\.self)
        for resource in resources {
            guard let peer = peers[resource] else { continue }
            Self.send(resource, ListChange(), to: peer, outage.write)
        }
    }

    private static func send(
        _ resource: String,
        _ change: ListChange,
        to peer: Peer,
        _ writeMore: (inout JSONWriter) -> Void
    ) {
        let params = ObjectFragment { writer in
            writer.member("resource", resource)
            change.write(to: &writer)
            writeMore(&writer)
        }
        peer.notify(didChange, params.fragment)
    }

    private func method(
        _ name: String,
        _ summary: String,
        _ change: @escaping @Sendable (String, Peer) -> Void
    ) -> Method {
        Method(
            MethodName(name),
            summary,
            parameters: [
                .init("resource", "the resource", isRequired: true, .string(in: self.resources))
            ],
            result: .init("subscribed", "an empty object"),
            data: DataAccess.none,
            errors: [],
            example: #"{"resource": "\#(SalonListCodec.name)"}"#
        ) { [resources] call in
            guard let name = try call.params.string("resource"), resources.contains(name) else {
                let known = resources.joined(separator: ", ")
                throw RPCError.invalidParams(
                    "\"resource\" must be one of \(known)",
                    parameter: "resource"
                )
            }
            change(name, call.peer)
            return ObjectFragment.empty
        }
    }
}

extension ListChange {
    /// Writes the members of a notification.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("changed", changed.map(\.description).sorted())
        writer.member("deleted", deleted.map(\.description).sorted())
        if isAll { writer.member("all", true) }
    }
}
