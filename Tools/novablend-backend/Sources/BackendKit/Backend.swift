import BookingStorage
import Contract
public import Domain
public import HTTPServing
import JSON
public import PostgreSQLStorage
import Synchronization
import Zones

/// The reference server: serves salons, availability, bookings, and the other lists over HTTP.
public final class Backend: Sendable {
    /// The backend could not start.
    public struct StartFailure: Error, Sendable, CustomStringConvertible {
        /// What failed and, where possible, what to do about it.
        public let description: String
    }

    /// How many requests per second each client may make where tokens are required, if nothing else
    /// is chosen.
    public static let defaultRateLimit = 50

    private let server: HTTPServer
    private let routes: Routes
    private let metrics: HTTPServer?
    private let retention: RetentionTask?
    private let watch: StoreWatch

    /// The port that the backend listens on.
    public var port: UInt16 { server.port }

    /// The port of the metrics; nil if they are not served.
    public var metricsPort: UInt16? { metrics?.port }

    /// Opens the database and starts to serve. `database` is the path of a file, `:memory:`, or the
    /// URL of a server; see ``DatabaseLocation``. `databaseConnections` is the maximum number of
    /// connections to a server. A new database receives `salons`. `host` is an IPv4 or IPv6 address, or
    /// `localhost`. Port 0 selects a free port. `metrics` is where `GET /metrics` is served; nil for
    /// nowhere. Appointments that ended more than `retainDays` days ago are deleted, unless it is nil.
    /// `rateLimit` is how many requests per second each client may make where tokens are required; 0
    /// for any number. `customerLimits` is how many appointments each customer may have at all salons
    /// together. With `logsRequests`, each request is logged, and otherwise only failures.
    ///
    /// A host that other machines can reach requires that the database has tokens, and that the
    /// proxies between it and its clients are known.
    public init(
        database: String,
        databaseConnections: Int = PostgreSQLBookingStore.defaultConnections,
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        metrics metricsAddress: MetricsAddress? = nil,
        retainDays: Int? = nil,
        publicAddress: PublicAddress = PublicAddress(),
        limits: ServerLimits = ServerLimits(),
        rateLimit: Int = defaultRateLimit,
        customerLimits: CustomerLimits = CustomerLimits(),
        salons: [Salon] = SampleSalons.all,
        lists: [ServedList] = ServedList.all,
        clock: any WallClock = SystemClock(),
        logsRequests: Bool = false,
        log: @escaping @Sendable (LogEntry) -> Void = { _ in }
    ) throws(StartFailure) {
        let location = DatabaseLocation(database)
        let (store, hasTokens): (any BookingStore, Bool)
        do {
            store = try location.open(
                newSalons: salons,
                clock: clock,
                connections: databaseConnections
            )
            hasTokens = try location.hasTokens()
        } catch {
            throw StartFailure(description: "the database \(location) cannot be used: \(error)")
        }
        if !HTTPServer.isLoopback(host) {
            try Self.checkExposure(at: host, hasTokens, publicAddress)
        }
        let routes = Routes(
            store: store,
            lists: lists,
            zones: ZoneDirectory(),
            hasTokens: hasTokens,
            requestsPerSecond: rateLimit,
            customerLimits: customerLimits,
            clock: clock,
            // The rest is for requests that do not wait.
            maximumWaitingClients: max(1, limits.usableConnections * 3 / 4),
            logsRequests: logsRequests,
            log: log
        )
        self.routes = routes
        let server: HTTPServer
        var limits = limits
        // White space and escaped characters may double the size of a salon.
        limits.maximumPutBytes = max(limits.maximumPutBytes, 2 * SalonRules.maximumBytes)
        do {
            server = try HTTPServer(
                host: host,
                port: port,
                publicAddress: publicAddress,
                limits: limits,
                log: { log(.message($0)) },
                handler: { await routes.respond(to: $0) }
            )
        } catch {
            throw StartFailure(
                description: "cannot listen on \(host), port \(port): \(error); try --port 0"
            )
        }
        self.server = server
        retention = retainDays.map { RetentionTask(store, days: $0, log: log) }
        watch = StoreWatch(store, log: log)
        guard let address = metricsAddress else {
            metrics = nil
            return
        }
        do {
            metrics = try routes.serveMetrics(at: address) { server.connections }
        } catch {
            server.stop()
            retention?.cancel()
            watch.cancel()
            store.close()
            throw StartFailure(
                description: "cannot serve metrics on \(address.host), port \(address.port): "
                    + "\(error)"
            )
        }
    }

    /// Throws unless other machines may reach the backend.
    private static func checkExposure(
        at host: String,
        _ hasTokens: Bool,
        _ address: PublicAddress
    ) throws(StartFailure) {
        var missing: [String] = []
        if !hasTokens { missing.append("create a token with novablend-backend tokens create") }
        if address.trustedProxies.isEmpty {
            missing.append("name the proxies that add TLS with --trusted-proxy")
        }
        guard !missing.isEmpty else { return }
        throw StartFailure(
            description: "other machines can reach \(host): "
                + "\(missing.joined(separator: ", and ")); or use --host 127.0.0.1"
        )
    }

    /// The number of clients that wait for changes.
    var waitingCount: Int { routes.changeFeed.waitingCount }

    /// The routes, in the order of `GET /openapi.json`: each path with its methods.
    public static func routes(
        lists: [ServedList] = ServedList.all
    ) -> [(path: String, methods: [String])] {
        Routes.table(lists: lists).paths.map { path in
            (path.template.description, path.routes.map(\.method))
        }
    }

    /// The path that reports whether new requests should be sent to the backend.
    package static let readinessPath = "/health/ready"

    /// Reports to proxies that the backend is about to stop: `GET /health/ready` is 503 from now on.
    /// All other requests are served as before.
    public func prepareToStop() { routes.isStopping.store(true, ordering: .relaxed) }

    /// Reads each token again when it is next used. Otherwise a change of a token, or the first token,
    /// is noticed within 5 seconds.
    public func rereadTokens() { routes.authorization.rereadTokens() }

    /// Answers the requests that were accepted, and stops the server.
    ///
    /// - Parameter limit: How long to wait for a database that does not answer, to record the numbers of
    ///   rejected requests.
    public func stop(waitingAtMost limit: Duration = .seconds(2)) {
        prepareToStop()
        server.stop()
        metrics?.stop()
        retention?.cancel()
        routes.authorization.rejected.finish(waitingAtMost: limit)
        watch.cancel()
        routes.store.close()
    }
}
