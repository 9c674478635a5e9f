import Contract
import Domain
import Networking
import NovaBlendAccounts
import NovaBlendAdapters
import NovaBlendChanges
import NovaBlendConfiguration
import Persistence
import Zones

/// What all use cases share: the server, the files of the account, and the clocks.
struct Services: Sendable {
    let configuration: Configuration
    let account: Account
    let clients: HTTPClients
    let limits: ListLimits
    let stores: Stores
    let subjects: KnownSubjects
    let bookings: HTTPBookingAPI
    let feed: HTTPChangeFeed
    let status: ServerStatus
    let zones = ZoneDirectory()
    let clock = SystemClock()
    let pauses = SystemPauses()

    init(_ configuration: Configuration) {
        self.configuration = configuration
        account = configuration.account
        clients = HTTPClients(configuration)
        limits = ListLimits(maximumBytes: configuration.maximumResponseBytes)
        let (credentials, tokens) = (configuration.credentials, clients.tokens)
        subjects = KnownSubjects(
            store: FileSnapshotStore(
                directory: configuration.stateDirectory,
                subdirectory: account.subdirectory
            )
        ) { credentials.identity(tokens) }
        stores = Stores(configuration, account, clock, subjects)
        bookings = HTTPBookingAPI(
            endpoints: configuration.endpoints,
            sender: clients.sender,
            reader: clients.prompt,
            optional: clients.optional,
            limits: limits.prompt,
            credential: configuration.credentials.source,
            counter: stores.changes
        )
        status = ServerStatus()
        feed = HTTPChangeFeed(
            url: configuration.endpoints.changes,
            client: clients.feed,
            waiter: clients.waiter,
            limits: limits,
            store: stores.cache
        )
    }
}

/// The files of the account, and what reports their changes.
struct Stores: Sendable {
    let cache: FileSnapshotStore
    /// The lists of the cache that are in memory.
    let memory: ListMemory
    let images: ImageCache
    let journal: FileBookingJournal
    /// Counts the changes to appointments.
    let changes: FileChangeCounter
    let salonChanges: FileChangeCounter
    let otherAccounts: OtherAccounts
    let notifier: ChangeNotifier
    /// The locks of the lists, each held by the process that keeps the list up to date.
    let feedLocks: NamedLocks

    init(
        _ configuration: Configuration,
        _ account: Account,
        _ clock: any WallClock,
        _ subjects: KnownSubjects
    ) {
        let (state, subdirectory) = (configuration.stateDirectory, account.subdirectory)
        cache = FileSnapshotStore(
            directory: configuration.cacheDirectory,
            subdirectory: subdirectory
        )
        memory = ListMemory(maximumSize: configuration.maximumListMemory)
        images = ImageCache(
            directory: configuration.cacheDirectory,
            subdirectory: subdirectory
        )
        journal = FileBookingJournal(directory: state, subdirectory: subdirectory, clock: clock)
        changes = FileChangeCounter(directory: state, subdirectory: subdirectory)
        salonChanges = FileChangeCounter(
            directory: state,
            subdirectory: subdirectory,
            name: "salon-changes",
            countsFailedReads: false
        )
        otherAccounts = OtherAccounts(account: account, directory: state, clock: clock)
        let content = CachedContent(
            store: cache,
            memory: memory,
            salonsURL: configuration.endpoints.salons,
            appointmentsURL: configuration.endpoints.appointments,
            subjects: subjects
        )
        notifier = ChangeNotifier(content.change)
        feedLocks = NamedLocks(directory: state, subdirectory: subdirectory, name: "feed")
    }
}

extension Services {
    private var softDeadline: SoftDeadline {
        SoftDeadline(configuration.softDeadline, pauses: pauses)
    }

    /// Makes the loader of salons that uses `client` within `limits`. With `isDryRun`, the store writes
    /// nothing, so the list cannot follow the changes at the server.
    func makeSalons(
        _ client: any HTTPClient,
        _ limits: ListLimits,
        _ cache: StoredResource<UseCases.Salons>,
        isDryRun: Bool
    ) -> ResourceLoader<UseCases.Salons.Model> {
        typealias Resource = HTTPResource<UseCases.Salons>
        let url = configuration.endpoints.salons
        return ResourceLoader(
            policy: .salons,
            server: Resource(
                url: url,
                client: client,
                limits: limits,
                freshness: .cacheableUntilChanged(stores.salonChanges)
            ),
            direct: Resource(
                url: url,
                client: clients.prompt,
                limits: limits.prompt,
                freshness: .direct
            ),
            cache: cache,
            clock: clock,
            emptyValue: EncodedList([]),
            softDeadline: softDeadline,
            changes: stores.salonChanges,
            follower: isDryRun
                ? nil
                : FollowedList(
                    cache,
                    feed: feed.limited(to: limits),
                    kind: "salon",
                    clock: clock
                )
        )
    }

    func makeAppointments(
        _ cache: StoredResource<AppointmentListCodec>,
        isDryRun: Bool
    ) -> ResourceLoader<[Appointment]> {
        ResourceLoader(
            policy: .appointments,
            server: HTTPResource<AppointmentListCodec>(
                url: configuration.endpoints.appointments,
                client: clients.reader,
                limits: limits,
                freshness: .personal(stores.changes),
                subjects: isDryRun ? nil : subjects
            ),
            cache: cache,
            clock: clock,
            emptyValue: [],
            softDeadline: softDeadline,
            changes: stores.changes,
            follower: isDryRun
                ? nil : FollowedList(cache, feed: feed, kind: "appointment", clock: clock)
        )
    }

    func makeDependencies(
        _ store: any SnapshotStore,
        _ images: ImageCache
    ) -> ListDependencies {
        ListDependencies(
            endpoints: configuration.endpoints,
            client: clients.reader,
            images: clients.images,
            imageCache: images,
            limits: limits,
            store: store,
            memory: stores.memory,
            clock: clock,
            softDeadline: softDeadline
        )
    }

    func makeBooking(
        _ cache: StoredResource<AppointmentListCodec>,
        _ times: ReadSalonTime
    ) -> BookAppointment {
        BookAppointment(
            server: bookings,
            journal: stores.journal,
            cache: cache,
            counter: stores.changes,
            times: times,
            clock: clock,
            pauses: pauses
        )
    }
}
