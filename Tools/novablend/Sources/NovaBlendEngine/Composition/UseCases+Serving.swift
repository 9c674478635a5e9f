import Domain
import JSONRPC
import MCP
import NovaBlendAdapters
import NovaBlendChanges
import NovaBlendConfiguration
import NovaBlendMCPAdapter
import NovaBlendMethods

/// Serves the methods over JSON-RPC and MCP. The methods refer to the notifier, so its observers are
/// weak references, to avoid a cycle.
extension UseCases {
    /// The table of `methods`, and of those for subscriptions, descriptions, and MCP. `lists` are the
    /// names of the lists other than salons and appointments.
    func serving(_ methods: [Method], lists: [String]) -> MethodTable {
        let monitor = makeMonitor(lists)
        let mcp = makeMCPServer(methods, monitor)
        let plain = methods + makeSubscriptions(lists, monitor).methods
        let described = plain + [Discovery.method(for: plain, version: Version.current)]
        return MethodTable(
            described + mcp.methods,
            extensions: [.languageServer, .mcp],
            unknownMethodAdvice: "rpc.discover lists the available methods"
        )
    }

    private func makeMonitor(_ names: [String]) -> SubscriptionMonitor {
        let revalidations = zip(names, lists).map { ($0, $1.revalidate) }
        return SubscriptionMonitor(
            watch: services.stores.watch,
            notifier: services.stores.notifier,
            revalidations: Dictionary(revalidations) { $1 }.merging(
                ["salons": salons.revalidate, "appointments": appointments.revalidate]
            ) { $1 }
        )
    }

    private func makeMCPServer(
        _ methods: [Method],
        _ monitor: SubscriptionMonitor
    ) -> MCPServer {
        let subscriptions = ResourceSubscriptions { monitor.subscriptionAdded() }
        monitor.add { [weak subscriptions] in
            Set((subscriptions?.uris ?? []).compactMap(MCPAdapter.topic))
        }
        services.stores.notifier.observe { [weak subscriptions] in
            subscriptions?.notify(MCPAdapter.uri(of: $0))
        }
        let table = MethodTable(methods)
        return MCPAdapter(salons: directory, table: table, version: Version.current)
            .makeServer(tools: methods, subscriptions: subscriptions)
    }

    private func makeSubscriptions(
        _ lists: [String],
        _ monitor: SubscriptionMonitor
    ) -> Subscriptions {
        let subscriptions = Subscriptions(to: ["salons", "appointments"] + lists) {
            monitor.subscriptionAdded()
        }
        monitor.add { [weak subscriptions] in subscriptions?.active ?? [] }
        services.stores.notifier.observe { [weak subscriptions] in subscriptions?.notify($0) }
        return subscriptions
    }
}
