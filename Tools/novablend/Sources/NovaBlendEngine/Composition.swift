import Contract
import Domain
public import JSONRPC
import MCP
import Networking
import NovaBlendAccounts
package import NovaBlendAdapters
import NovaBlendChanges
import NovaBlendConfiguration
public import NovaBlendMCPAdapter
package import NovaBlendMethods
import Persistence
import SystemSupport
import Zones

/// Creates and connects all parts of the program.
///
/// First comes what every command needs: ``Services``, the files of the account and the clients of
/// its server, and ``UseCases``, which make the methods. The last part, ``makeServer(for:)``, makes what
/// only `serve` needs.
public struct Composition: Sendable {
    private let useCases: UseCases
    private var services: Services { useCases.services }

    /// Creates what every command needs for `configuration`, with `lists` in addition to salons and
    /// appointments. Does not read or write files or connect to the server. With `isDryRun`, no call
    /// writes to the cache.
    public init(
        _ configuration: Configuration,
        lists: [ListedResource] = ListedResource.all,
        isDryRun: Bool = false
    ) {
        useCases = UseCases(Services(configuration), lists: lists, isDryRun: isDryRun)
    }

    /// The configuration.
    package var configuration: Configuration { services.configuration }

    /// The salons, for completions.
    package var salons: LoadedSalons { useCases.directory }

    /// The method with that name, or nil. No other kind of methods is made, except those before it in
    /// the table.
    package func method(named name: String) -> Method? { useCases.method(named: name) }

    /// Removes personal data that is older than 30 days from the files of all accounts in the same
    /// directories, unless none can have expired since the last time.
    public func removeExpiredData() { services.personalData.removeExpired() }

    /// Looks up the bookings that an earlier run left in doubt, and returns how many still are in
    /// doubt.
    public func resolveLeftovers() async -> Int {
        // Usually there are none, and then nothing more needs to be made.
        guard (try? services.journal.intents())?.contains(where: \.isOpen) == true,
            let resolutions = try? await useCases.resolution.resolve()
        else { return 0 }
        return resolutions.count { if case .inDoubt = $0.outcome { true } else { false } }
    }
}

/// What all use cases share: the files of the account, the clients of its server, and the clocks.
private final class Services: Sendable {
    let configuration: Configuration
    let clients: HTTPClients
    let bookings: HTTPBookingAPI
    /// What the lists are made with.
    let lists: ListDependencies

    let cache: FileSnapshotStore
    let journal: FileBookingJournal
    /// Counts the changes to appointments.
    let changes: FileChangeCounter
    let salonChanges: FileChangeCounter
    let personalData: PersonalDataFiles
    private let changeNotifier: LazyValue<ChangeNotifier>
    let ownHolds = OwnHolds()

    let zones = ZoneDirectory()
    let clock = SystemClock()
    let pauses = SystemPauses()

    init(_ configuration: Configuration) {
        self.configuration = configuration
        let (account, endpoints) = (configuration.account, configuration.endpoints)
        let (state, subdirectory) = (configuration.stateDirectory, account.subdirectory)
        clients = HTTPClients(configuration)
        let limits = ListLimits(maximumBytes: configuration.maximumResponseBytes)
        cache = FileSnapshotStore(
            directory: configuration.cacheDirectory,
            subdirectory: subdirectory
        )
        journal = FileBookingJournal(directory: state, subdirectory: subdirectory, clock: clock)
        let (credentials, tokens) = (configuration.credentials, clients.tokens)
        changes = FileChangeCounter(directory: state, subdirectory: subdirectory)
        salonChanges = FileChangeCounter(
            directory: state,
            subdirectory: subdirectory,
            name: "salon-changes",
            countsFailedReads: false
        )
        personalData = PersonalDataFiles(
            cacheDirectory: configuration.cacheDirectory,
            stateDirectory: state,
            clock: clock
        )
        bookings = HTTPBookingAPI(
            endpoints: endpoints,
            sender: clients.sender,
            reader: clients.prompt,
            optional: clients.optional,
            limits: limits.prompt,
            credential: credentials.source,
            counter: changes
        )
        let lists = ListDependencies(
            endpoints: endpoints,
            client: clients.reader,
            lookup: clients.lookup,
            prompt: clients.prompt,
            images: clients.images,
            feed: HTTPChangeFeed(
                url: endpoints.changes,
                client: clients.feed,
                waiter: clients.waiter,
                limits: limits,
                store: cache
            ),
            limits: limits,
            store: cache,
            imageCache: ImageCache(
                directory: configuration.cacheDirectory,
                subdirectory: subdirectory
            ),
            memory: ListMemory(maximumSize: configuration.maximumListMemory),
            subjects: KnownSubjects(
                store: FileSnapshotStore(directory: state, subdirectory: subdirectory)
            ) { credentials.identity(tokens) },
            counters: [SalonListCodec.name: salonChanges, AppointmentListCodec.name: changes],
            clock: clock,
            softDeadline: SoftDeadline(configuration.softDeadline, pauses: pauses),
            ownFiles: configuration.ownFiles
        )
        self.lists = lists
        changeNotifier = LazyValue { Self.makeNotifier(lists) }
    }

    var notifier: ChangeNotifier { changeNotifier.value }

    var otherAccounts: OtherAccounts {
        OtherAccounts(
            account: configuration.account,
            directory: configuration.stateDirectory,
            clock: clock
        )
    }

    private static func makeNotifier(_ lists: ListDependencies) -> ChangeNotifier {
        // Elements are compared encoded.
        let content = CachedContent(
            store: lists.store,
            lists: [
                SalonListCodec.name: {
                    LoadedList<EncodedListCodec<SalonListCodec>>(.salons, lists)
                        .cache.change(since: &$0)
                },
                AppointmentListCodec.name: {
                    LoadedList<EncodedListCodec<AppointmentListCodec>>(.appointments, lists)
                        .cache.change(since: &$0)
                },
            ]
        )
        return ChangeNotifier(content.change)
    }
}

/// What loads salons and appointments. It is made when it is first used, because its types would slow
/// down the start of `serve`.
private final class Loaders: Sendable {
    let salons: ResourceLoader<EncodedList<SalonListCodec>>
    /// The salons of bookings, which can continue without them.
    let bookedSalons: LoadedSalons
    let appointments: ResourceLoader<[Appointment]>
    let cachedAppointments: StoredResource<AppointmentListCodec>

    init(_ lists: ListDependencies) {
        // There may be thousands of salons, so each is decoded only when it is needed.
        let listedSalons = LoadedList<EncodedListCodec<SalonListCodec>>(.salons, lists)
        let listedAppointments = LoadedList<AppointmentListCodec>(.appointments, lists)
        salons = listedSalons.whole
        bookedSalons = LoadedSalons(listedSalons.prompt)
        appointments = listedAppointments.whole
        cachedAppointments = listedAppointments.cache
    }
}

/// The use cases that share one store for the cache, and the methods that call them.
private struct UseCases: Sendable {
    let services: Services
    private let dependencies: ListDependencies
    private let loaders: LazyValue<Loaders>
    private let listed: [ListedResource]
    private let served: LazyValue<[ListedResource.Served]>

    /// With `isDryRun`, nothing is written to the cache.
    init(_ services: Services, lists: [ListedResource], isDryRun: Bool) {
        self.services = services
        var dependencies = services.lists
        dependencies.isDryRun = isDryRun
        self.dependencies = dependencies
        loaders = LazyValue { [dependencies] in Loaders(dependencies) }
        listed = lists
        served = LazyValue { [dependencies] in
            [
                .init(.salons, of: EncodedListCodec<SalonListCodec>.self, dependencies),
                .init(.appointments, of: AppointmentListCodec.self, dependencies),
            ]
                + lists.map { $0.served(with: dependencies) }
        }
    }

    var salons: ResourceLoader<EncodedList<SalonListCodec>> { loaders.value.salons }
    var appointments: ResourceLoader<[Appointment]> { loaders.value.appointments }

    /// All lists.
    var lists: [ListedResource.Served] { served.value }

    /// These use cases without writes to the cache.
    var dryRun: UseCases { UseCases(services, lists: listed, isDryRun: true) }
}

/// The use cases beyond loading a list. They have no state of their own, so each is made when it is
/// needed.
extension UseCases {
    var directory: LoadedSalons { LoadedSalons(salons) }

    private var times: ReadSalonTime {
        ReadSalonTime(
            salons: loaders.value.bookedSalons,
            zones: services.zones,
            clock: services.clock
        )
    }

    private var booking: BookAppointment {
        BookAppointment(
            server: services.bookings,
            journal: services.journal,
            cache: loaders.value.cachedAppointments,
            counter: services.changes,
            times: times,
            clock: services.clock,
            pauses: services.pauses
        )
    }

    var resolution: ResolveBookings { ResolveBookings(booking) }

    private var ownBookings: OwnBookings {
        OwnBookings(journal: services.journal, server: services.bookings)
    }

    private var slots: ListSlots {
        ListSlots(
            server: services.bookings,
            appointments: appointments,
            ownBookings: ownBookings,
            ownHolds: services.ownHolds,
            salons: directory,
            zones: services.zones,
            clock: services.clock
        )
    }

    private var salonChanges: ChangeSalon {
        let (url, clients) = (services.configuration.endpoints.salons, services.clients)
        return ChangeSalon(
            server: HTTPSalonAPI(list: url, sender: clients.sender, reader: clients.prompt),
            appointments: services.bookings,
            cache: dependencies.cache(of: SalonListCodec.name) as StoredResource<SalonListCodec>,
            counter: services.salonChanges,
            salons: loaders.value.bookedSalons,
            zones: services.zones,
            clock: services.clock
        )
    }

    private var appointmentUseCases: AppointmentMethods.UseCases {
        let booking = booking
        return AppointmentMethods.UseCases(
            loader: appointments,
            booking: booking,
            holding: HoldSlot(server: services.bookings, booking, own: services.ownHolds),
            ownBookings: ownBookings,
            ownHolds: services.ownHolds,
            salons: loaders.value.bookedSalons,
            times: times
        )
    }
}

/// The methods.
extension UseCases {
    private enum Kind: CaseIterable {
        case salons, slots, services, salonChanges, appointments, lists, cache
    }

    var methods: [Method] { Kind.allCases.flatMap(methods).map(acceptingEmpty) }

    func method(named name: String) -> Method? {
        Kind.allCases.lazy.flatMap(methods).first { $0.name == name }.map(acceptingEmpty)
    }

    /// The method, for which an empty value counts as absent: AI agents often fill in every parameter.
    private func acceptingEmpty(_ method: Method) -> Method {
        var method = method
        method.treatsEmptyAsAbsent = true
        return method
    }

    private func methods(_ kind: Kind) -> [Method] {
        switch kind {
        case .salons: SalonMethods(salons, zones: services.zones).all
        case .slots: SlotMethods(slots, salons: directory).all
        case .services: ServiceMethods(salons).all
        case .salonChanges:
            SalonChangeMethods(salonChanges, salons: directory, changes: services.notifier).all
        case .appointments:
            AppointmentMethods(
                appointmentUseCases,
                otherAccounts: services.otherAccounts,
                changes: services.notifier,
                ownFiles: services.configuration.ownFiles,
                version: BuildStamp.current.version
            ).all
        case .lists: lists.flatMap(\.methods)
        case .cache: cacheMethods.all
        }
    }

    private var cacheMethods: CacheMethods {
        let configuration = services.configuration
        let images = dependencies.imageCache
        return CacheMethods(
            store: services.cache,
            images: images,
            resources: lists.map(\.cached) + [.init("images", images)],
            directory: "\(configuration.cacheDirectory)/\(configuration.account.subdirectory)",
            journal: services.journal,
            otherAccounts: services.otherAccounts,
            personalData: services.personalData
        )
    }
}

/// What only `serve` needs: the methods for subscriptions and descriptions, MCP, and, like `watch`,
/// what notices changes. The methods refer to the notifier, so its observers hold weak references to the
/// subscriptions, to avoid a cycle.
extension Composition {
    /// The methods that `serve` serves.
    public struct Server: Sendable {
        /// The table of the methods.
        public let methods: MethodTable
        /// Why the tools in the settings for agents cannot be served; nil if they can.
        public let toolProblem: String?
    }

    /// Makes what only `serve` needs. `agents` applies to MCP.
    public func makeServer(for agents: AgentSettings = AgentSettings()) -> Server {
        let methods = Discovery.served(
            useCases.methods,
            dryRun: { [useCases] name in useCases.dryRun.method(named: name) },
            isReadOnly: configuration.isReadOnly
        )
        let status = ServerStatus()
        let monitor = makeMonitor(status)
        let mcp = makeMCPServer(methods, agents, monitor)
        let plain = methods + makeSubscriptions(monitor, status).methods
        let version = BuildStamp.current.version
        let described = plain + [Discovery.method(for: plain, version: version)]
        let table = MethodTable(
            (described + mcp.methods).map { method in
                method.traced.limited(to: configuration.callTimeout)
            },
            extensions: [.languageServer, .mcp],
            unknownMethodAdvice:
                "\(Discovery.discover) lists the methods of this version, \(version)"
        )
        return Server(
            methods: table,
            toolProblem: agents.tools.problem(
                with: methods,
                isReadOnly: configuration.isReadOnly
            )
        )
    }

    /// Makes what reports the changes of lists as they come.
    public func makeChanges() -> LiveChanges {
        let status = ServerStatus()
        return LiveChanges(
            monitor: makeMonitor(status),
            notifier: services.notifier,
            status: status
        )
    }

    /// Makes the monitor that watches for changes of lists, and sets `status`.
    private func makeMonitor(_ status: ServerStatus) -> SubscriptionMonitor {
        let revalidations = useCases.lists.filter { $0.live == nil }.map {
            ($0.name, $0.revalidate)
        }
        let locks = NamedLocks(
            directory: configuration.stateDirectory,
            subdirectory: configuration.account.subdirectory,
            name: "feed"
        )
        let listeners = useCases.lists.compactMap(\.live).map { list in
            FeedListener(
                list,
                locks: locks,
                store: services.cache,
                clock: services.clock,
                status: status
            )
        }
        return SubscriptionMonitor(
            store: services.cache,
            notifier: services.notifier,
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
        services.notifier.observe { [weak subscriptions] topic, _ in
            subscriptions?.notify(MCPAdapter.uri(of: topic))
        }
        let adapter = MCPAdapter(
            salons: useCases.directory,
            methods: methods,
            version: BuildStamp.current.version,
            settings: settings,
            isReadOnly: configuration.isReadOnly
        )
        return adapter.makeServer(subscriptions: subscriptions)
    }

    private func makeSubscriptions(
        _ monitor: SubscriptionMonitor,
        _ status: ServerStatus
    ) -> Subscriptions {
        let subscriptions = Subscriptions(
            to: useCases.lists.map(\.name),
            provenance: { [useCases] in useCases.provenance(of: $0) },
            onChange: { monitor.subscriptionsChanged() }
        )
        monitor.add { [weak subscriptions] in subscriptions?.active ?? [] }
        services.notifier.observe { [weak subscriptions] resource, change in
            subscriptions?.notify(resource, change)
        }
        let live = useCases.lists.filter { $0.live != nil }.map(\.name)
        status.observe { [weak subscriptions] outage in
            subscriptions?.notify(live, OutageView(outage))
        }
        return subscriptions
    }
}

extension UseCases {
    /// The provenance of a cached list; nil if it is not cached.
    fileprivate func provenance(of name: String) -> Provenance? {
        guard let (fetchedAt, isComplete) = services.cache.age(of: name) else { return nil }
        return lists.first { $0.name == name }?.provenance(fetchedAt, isComplete)
    }
}
