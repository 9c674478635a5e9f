import Domain
import JSONRPC
import MCP
import NovaBlendAdapters
import NovaBlendChanges
import NovaBlendConfiguration
import NovaBlendMCPAdapter
import NovaBlendMethods
import SystemSupport

/// Serves the methods over JSON-RPC and MCP. The methods refer to the notifier, so its observers hold
/// weak references to the subscriptions, to avoid a cycle.
extension UseCases {
    /// The table of `methods`, and of those for subscriptions, descriptions, and MCP. `lists` are the
    /// names of the lists other than salons and appointments. `agents` applies to MCP. `monitor` learns
    /// of each subscription.
    func serving(
        _ methods: [Method],
        lists: [String],
        agents: AgentSettings,
        _ monitor: SubscriptionMonitor
    ) -> MethodTable {
        let mcp = makeMCPServer(methods, agents, monitor)
        let plain = methods + makeSubscriptions(lists, monitor).methods
        let described = plain + [Discovery.method(for: plain, version: BuildStamp.current.version)]
        return MethodTable(
            (described + mcp.methods).map { method in
                method.traced.limited(to: services.configuration.callTimeout)
            },
            extensions: [.languageServer, .mcp],
            unknownMethodAdvice:
                "\(Discovery.discover) lists the methods of this version, \(BuildStamp.current.version)"
        )
    }

    /// The lists whose server can report changes.
    private static let liveLists = ["salons", "appointments"]

    /// Creates the monitor that watches for changes of salons, of appointments, and of the other
    /// lists with these names.
    func makeMonitor(_ names: [String]) -> SubscriptionMonitor {
        let revalidations = zip(names, lists).map { ($0, $1.revalidate) }
        let lists = [LiveList("appointments", appointments), LiveList("salons", salons)]
        let listeners = lists.map { list in
            FeedListener(
                list,
                locks: services.stores.feedLocks,
                store: services.stores.cache,
                clock: services.clock,
                status: services.status
            )
        }
        return SubscriptionMonitor(
            store: services.stores.cache,
            notifier: services.stores.notifier,
            listeners: listeners,
            revalidations: Dictionary(revalidations) { $1 }
        )
    }

    private func makeMCPServer(
        _ methods: [Method],
        _ settings: AgentSettings,
        _ monitor: SubscriptionMonitor
    ) -> MCPServer {
        let subscriptions = ResourceSubscriptions { monitor.subscriptionsChanged() }
        monitor.add { [weak subscriptions] in
            Set((subscriptions?.uris ?? []).compactMap(MCPAdapter.topic))
        }
        services.stores.notifier.observe { [weak subscriptions] topic, _ in
            subscriptions?.notify(MCPAdapter.uri(of: topic))
        }
        let adapter = MCPAdapter(
            salons: directory,
            methods: methods,
            version: BuildStamp.current.version,
            settings: settings,
            isReadOnly: services.configuration.isReadOnly
        )
        return adapter.makeServer(subscriptions: subscriptions)
    }

    private func makeSubscriptions(
        _ lists: [String],
        _ monitor: SubscriptionMonitor
    ) -> Subscriptions {
        let subscriptions = Subscriptions(to: Self.liveLists + lists) {
            monitor.subscriptionsChanged()
        }
        monitor.add { [weak subscriptions] in subscriptions?.active ?? [] }
        let provenances = makeProvenances(lists)
        let store = services.stores.cache
        services.stores.notifier.observe { [weak subscriptions] resource, change in
            let age = store.age(of: resource)
            let provenance = age.flatMap { provenances[resource]?($0.fetchedAt, $0.isComplete) }
            subscriptions?.notify(resource, change, provenance)
        }
        services.status.observe { [weak subscriptions] outage in
            subscriptions?.notify(Self.liveLists, OutageView(outage))
        }
        return subscriptions
    }

    /// The functions that return the provenance of a cached list, by its name.
    private func makeProvenances(
        _ names: [String]
    ) -> [String: @Sendable (Timestamp, Bool) -> Provenance] {
        Dictionary(zip(names, lists).map { ($0, $1.provenance) }) { $1 }.merging([
            "salons": salons.provenance, "appointments": appointments.provenance,
        ]) { $1 }
    }
}
