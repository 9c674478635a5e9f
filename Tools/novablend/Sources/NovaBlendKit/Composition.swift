import Contract
import Domain
public import JSONRPC
import MCP
import Networking
import Persistence

/// The one place that knows every part, and wires them.
public struct Composition: Sendable {
    /// The methods that are served.
    public let methods: MethodTable
    private let resolution: ResolveBookings

    /// Wires everything by `configuration`; nothing is read, written or connected yet.
    public init(_ configuration: Configuration) throws(HTTPClientFailure) {
        let clock = SystemClock()
        let sender = try Self.makeClient(configuration)
        let reader = CoalescingHTTPClient(RetryingHTTPClient(sender, policy: Self.retries))
        let store = FileSnapshotStore(directory: configuration.cacheDirectory)
        let endpoints = configuration.endpoints
        let changes = ChangeFeed()

        let salons = ResourceLoader(
            policy: .salons,
            remote: HTTPResource<SalonListCodec>(url: endpoints.salons, client: reader),
            cache: StoredResource<SalonListCodec>(name: "salons", store: store),
            clock: clock,
            nothing: []
        )
        let appointments = ResourceLoader(
            policy: .appointments,
            remote: HTTPResource<AppointmentListCodec>(url: endpoints.appointments, client: reader),
            cache: StoredResource<AppointmentListCodec>(name: "appointments", store: store),
            clock: clock,
            nothing: []
        )
        let directory = LoadedSalons(salons)
        let booking = BookAppointment(
            remote: HTTPBookingRemote(endpoints: endpoints, sender: sender, reader: reader),
            journal: FileBookingJournal(directory: configuration.stateDirectory, clock: clock),
            ledger: StoredAppointmentLedger(name: "appointments", store: store, clock: clock),
            salons: directory,
            clock: clock,
            keys: RandomKeys()
        )
        resolution = ResolveBookings(booking)
        let all =
            SalonMethods(salons).all
            + AppointmentMethods(
                loader: appointments,
                booking: booking,
                resolution: resolution,
                salons: directory,
                changes: changes
            ).all
            + CacheMethods(store: store, salons: salons, appointments: appointments).all
        let served = Discovery.served(all, isReadOnly: configuration.isReadOnly)
        let agents = AgentFace(salons: directory, table: MethodTable(served))
        let mcp = agents.makeServer(tools: served)
        changes.observe { mcp.resourceChanged(AgentFace.uri(of: $0)) }
        methods = MethodTable(served + [Discovery.method(for: served)] + mcp.methods)
    }

    /// Finds out what became of the bookings that an earlier run left open, and tells how many are
    /// still open.
    public func resolveLeftovers() async -> Int {
        guard let resolutions = try? await resolution.resolve() else { return 0 }
        return resolutions.count { if case .inDoubt = $0.outcome { true } else { false } }
    }

    /// The transport could not be started.
    public struct HTTPClientFailure: Error, CustomStringConvertible {
        /// Why.
        public let description: String
    }

    /// Somebody waits for a list, and what is kept can stand in for it: tries follow quickly.
    private static let retries: RetryPolicy = {
        var policy = RetryPolicy()
        policy.firstDelayMilliseconds = 50
        policy.maximumDelayMilliseconds = 400
        return policy
    }()

    private static func makeClient(
        _ configuration: Configuration
    ) throws(HTTPClientFailure) -> CurlHTTPClient {
        var options = CurlHTTPClient.Configuration()
        options.certificateFile = configuration.certificateFile
        options.userAgent = "novablend/\(Version.current)"
        do throws(HTTPClientError) {
            return try CurlHTTPClient(configuration: options)
        } catch {
            throw HTTPClientFailure(description: error.description)
        }
    }
}
