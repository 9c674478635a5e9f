import Contract
import Domain
public import JSONRPC
import MCP
import Networking
import Persistence
import Zones

/// The one place that knows every part, and wires them.
public struct Composition: Sendable {
    /// The methods that are served.
    public let methods: MethodTable
    private let resolution: ResolveBookings

    /// Wires everything by `configuration`; nothing is read, written or connected yet.
    public init(_ configuration: Configuration) throws(HTTPClientFailure) {
        let clock = SystemClock()
        let client = try Self.makeClient(configuration)
        let store = FileSnapshotStore(directory: configuration.cacheDirectory)
        let endpoints = configuration.endpoints
        let changes = ChangeFeed()
        let zones = ZoneDirectory()

        let salons = ResourceLoader(
            policy: .salons,
            remote: HTTPResource<SalonListCodec>(url: endpoints.salons, client: client),
            cache: StoredResource<SalonListCodec>(name: "salons", store: store),
            clock: clock,
            nothing: []
        )
        let appointments = ResourceLoader(
            policy: .appointments,
            remote: HTTPResource<AppointmentListCodec>(url: endpoints.appointments, client: client),
            cache: StoredResource<AppointmentListCodec>(name: "appointments", store: store),
            clock: clock,
            nothing: []
        )
        let directory = LoadedSalons(salons)
        let bookings = HTTPBookingRemote(endpoints: endpoints, client: client)
        let booking = BookAppointment(
            remote: bookings,
            journal: FileBookingJournal(
                FileJournal(directory: configuration.stateDirectory, name: "bookings")
            ),
            ledger: StoredAppointmentLedger(name: "appointments", store: store, clock: clock),
            salons: directory,
            zones: zones,
            clock: clock,
            keys: RandomKeys()
        )
        let slots = ListSlots(
            remote: bookings,
            appointments: appointments,
            salons: directory,
            zones: zones,
            clock: clock
        )
        resolution = ResolveBookings(booking)
        let all =
            SalonMethods(salons, zones: zones).all
            + SlotMethods(slots).all
            + AppointmentMethods(
                loader: appointments,
                booking: booking,
                resolution: resolution,
                salons: directory,
                times: ReadSalonTime(salons: directory, zones: zones),
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
