import Contract
import Domain
public import JSONRPC
import MCP
import Networking
import NovaBlendAdapters
import NovaBlendChanges
import NovaBlendConfiguration
import NovaBlendMCPAdapter
import NovaBlendMethods
import Persistence
import Zones

/// Creates and connects all parts of the program.
public struct Composition: Sendable {
    /// The methods to serve.
    public let methods: MethodTable
    private let resolution: ResolveBookings
    // There may be thousands of salons, so they are decoded only when they are needed.
    private typealias Salons = EncodedListCodec<SalonListCodec>

    /// Creates everything for `configuration`, with `lists` in addition to salons and appointments.
    /// Does not read or write files or connect to the server.
    public init(
        _ configuration: Configuration,
        lists: [ListedResource] = ListedResource.all
    ) {
        let clock = SystemClock()
        let clients = HTTPClients(configuration)
        let listLimits = ListLimits(maximumBytes: configuration.maximumResponseBytes)
        let endpoints = configuration.endpoints
        let account = configuration.account
        let subdirectory = account.subdirectory
        let cacheDirectory = "\(configuration.cacheDirectory)/\(subdirectory)"
        let files = FileSnapshotStore(
            directory: configuration.cacheDirectory,
            subdirectory: subdirectory
        )
        let content = CachedContent(store: files, salonsURL: endpoints.salons)
        let changes = ChangeNotifier(content.fingerprint)
        let watch = DirectoryWatch(files) { [weak changes] in changes?.announce($0) }
        let store = WatchedStore(store: files, watch: watch)
        let zones = ZoneDirectory()
        let softDeadline = SoftDeadline(
            configuration.softDeadline,
            pauses: SystemPauses()
        )
        let changeCounter = FileChangeCounter(
            directory: configuration.stateDirectory,
            subdirectory: subdirectory
        )

        let salonCounter = FileChangeCounter(
            directory: configuration.stateDirectory,
            subdirectory: subdirectory,
            name: "salon-changes",
            countsFailedReads: false
        )

        func loadingSalons(_ client: any HTTPClient) -> ResourceLoader<Salons.Model> {
            ResourceLoader(
                policy: .salons,
                server: HTTPResource<Salons>(
                    url: endpoints.salons,
                    client: client,
                    limits: listLimits,
                    freshness: .cacheableUntilChanged(salonCounter)
                ),
                direct: HTTPResource<Salons>(
                    url: endpoints.salons,
                    client: clients.prompt,
                    limits: listLimits,
                    freshness: .direct
                ),
                cache: StoredResource<Salons>(name: "salons", url: endpoints.salons, store: store),
                clock: clock,
                emptyValue: EncodedList([]),
                softDeadline: softDeadline,
                changes: salonCounter
            )
        }
        let salons = loadingSalons(clients.reader)
        let appointments = ResourceLoader(
            policy: .appointments,
            server: HTTPResource<AppointmentListCodec>(
                url: endpoints.appointments,
                client: clients.reader,
                limits: listLimits,
                freshness: .personal(changeCounter)
            ),
            cache: StoredResource<AppointmentListCodec>(
                name: "appointments",
                url: endpoints.appointments,
                store: store
            ),
            clock: clock,
            emptyValue: [],
            softDeadline: softDeadline,
            changes: changeCounter
        )
        let directory = LoadedSalons(salons)
        let bookedSalons = LoadedSalons(loadingSalons(clients.lookup))
        let bookings = HTTPBookingAPI(
            endpoints: endpoints,
            sender: clients.sender,
            reader: clients.prompt,
            limits: listLimits,
            identity: CallerIdentity(credential: configuration.credentialSource),
            counter: changeCounter
        )
        let journal = FileBookingJournal(
            directory: configuration.stateDirectory,
            subdirectory: subdirectory,
            clock: clock
        )
        let booking = BookAppointment(
            server: bookings,
            journal: journal,
            cache: StoredAppointmentCache(
                name: "appointments",
                url: endpoints.appointments,
                store: store,
                clock: clock
            ),
            counter: changeCounter,
            salons: bookedSalons,
            zones: zones,
            clock: clock,
            pauses: SystemPauses(),
            keys: RandomKeys()
        )
        let ownBookings = OwnBookings(journal: journal) { bookings.caller }
        let slots = ListSlots(
            server: bookings,
            appointments: appointments,
            ownBookings: ownBookings,
            salons: directory,
            zones: zones,
            clock: clock
        )
        let changingSalons = ChangeSalon(
            server: HTTPSalonAPI(
                list: endpoints.salons,
                sender: clients.sender,
                reader: clients.prompt
            ),
            appointments: bookings,
            cache: StoredSalonCache(name: "salons", url: endpoints.salons, store: store),
            counter: salonCounter,
            salons: bookedSalons,
            zones: zones,
            clock: clock
        )
        resolution = ResolveBookings(booking)
        let otherAccounts = OtherAccounts(
            account: account,
            directory: configuration.stateDirectory,
            clock: clock
        )
        let dependencies = ListDependencies(
            endpoints: endpoints,
            client: clients.reader,
            images: clients.images,
            limits: listLimits,
            store: store,
            clock: clock,
            softDeadline: softDeadline
        )
        let resources = lists.map { $0.served(with: dependencies) }
        let appointmentMethods = AppointmentMethods(
            loader: appointments,
            booking: booking,
            holding: HoldSlot(server: bookings, booking),
            resolution: resolution,
            ownBookings: ownBookings,
            salons: bookedSalons,
            times: ReadSalonTime(salons: bookedSalons, zones: zones),
            otherAccounts: otherAccounts,
            changes: changes,
            version: Version.current
        )
        let cached: [CachedResource] =
            [.init("salons", salons, count: \.count), .init("appointments", appointments)]
            + resources.map(\.cached) + [.init("images", ImageCache(store: store))]
        let cacheMethods = CacheMethods(
            store: store,
            resources: cached,
            directory: cacheDirectory,
            journal: journal,
            otherAccounts: otherAccounts
        )
        let all: [Method] =
            SalonMethods(salons, zones: zones).all + SlotMethods(slots, salons: directory).all
            + ServiceMethods(salons).all
            + SalonChangeMethods(changingSalons, salons: directory, changes: changes).all
            + appointmentMethods.all + resources.flatMap(\.methods) + cacheMethods.all
        let served = Discovery.served(
            all,
            isReadOnly: configuration.isReadOnly
        )
        let agents = MCPAdapter(
            salons: directory,
            table: MethodTable(served),
            version: Version.current
        )
        let revalidations = zip(lists, resources).map { ($0.name, $1.revalidate) }
        let monitor = SubscriptionMonitor(
            watch: watch,
            notifier: changes,
            revalidations: Dictionary(revalidations) { $1 }.merging(
                ["salons": salons.revalidate, "appointments": appointments.revalidate]
            ) { $1 }
        )
        let agentSubscriptions = ResourceSubscriptions { monitor.subscriptionAdded() }
        let mcp = agents.makeServer(tools: served, subscriptions: agentSubscriptions)
        let subscriptions = Subscriptions(to: ["salons", "appointments"] + lists.map(\.name)) {
            monitor.subscriptionAdded()
        }
        // The methods refer to the notifier, so these references are weak to avoid a cycle.
        monitor.add { [weak agentSubscriptions] in
            Set((agentSubscriptions?.uris ?? []).compactMap(MCPAdapter.topic))
        }
        changes.observe { [weak agentSubscriptions] in
            agentSubscriptions?.notify(MCPAdapter.uri(of: $0))
        }
        monitor.add { [weak subscriptions] in subscriptions?.active ?? [] }
        changes.observe { [weak subscriptions] in subscriptions?.notify($0) }
        let plain = served + subscriptions.methods
        let described = plain + [Discovery.method(for: plain, version: Version.current)]
        methods = MethodTable(
            described + mcp.methods,
            extensions: [.languageServer, .mcp],
            unknownMethodAdvice: "rpc.discover lists the available methods"
        )
    }

    /// Looks up the bookings that an earlier run left in doubt, and returns how many still are in
    /// doubt.
    public func resolveLeftovers() async -> Int {
        guard let resolutions = try? await resolution.resolve() else { return 0 }
        return resolutions.count { if case .inDoubt = $0.outcome { true } else { false } }
    }
}
