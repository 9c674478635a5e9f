import Domain
public import JSONRPC
package import NovaBlendAdapters
import NovaBlendConfiguration
public import NovaBlendMCPAdapter
import NovaBlendMethods

/// Creates and connects all parts of the program.
public struct Composition: Sendable {
    /// The table of the methods to serve.
    public let methods: MethodTable
    /// Reports the changes of lists as they come.
    public let changes: LiveChanges
    /// Why the tools in the settings for agents cannot be served; nil if they can.
    public let toolProblem: String?
    /// The salons, for completions.
    package let salons: LoadedSalons
    private let resolution: ResolveBookings

    /// Creates everything for `configuration`, with `lists` in addition to salons and appointments.
    /// `agents` applies to MCP. Does not read or write files or connect to the server. With `isDryRun`,
    /// no call writes to the cache.
    public init(
        _ configuration: Configuration,
        lists: [ListedResource] = ListedResource.all,
        agents: AgentSettings = AgentSettings(),
        isDryRun: Bool = false
    ) {
        let services = Services(configuration)
        let useCases = UseCases(services, lists: lists, isDryRun: isDryRun)
        let served = Discovery.served(
            useCases.methods,
            dryRuns: { UseCases(services, lists: lists, isDryRun: true).methods },
            isReadOnly: configuration.isReadOnly
        )
        let monitor = useCases.makeMonitor(lists.map(\.name))
        toolProblem = agents.tools.problem(with: served)
        methods = useCases.serving(served, lists: lists.map(\.name), agents: agents, monitor)
        changes = LiveChanges(
            monitor: monitor,
            notifier: services.stores.notifier,
            status: services.status
        )
        salons = useCases.directory
        resolution = useCases.resolution
    }

    /// Looks up the bookings that an earlier run left in doubt, and returns how many still are in
    /// doubt.
    public func resolveLeftovers() async -> Int {
        guard let resolutions = try? await resolution.resolve() else { return 0 }
        return resolutions.count { if case .inDoubt = $0.outcome { true } else { false } }
    }
}
