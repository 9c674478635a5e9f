import Contract
public import Domain
import JSON
import Zones

/// The reference server over HTTP: salons, availability and bookings, and the other lists.
public final class Backend: Sendable {
    /// Why a backend did not start.
    public struct StartFailure: Error, Sendable, CustomStringConvertible {
        /// What failed and what to do about it.
        public let description: String
    }

    private let server: HTTPServer

    /// The port that it listens on.
    public var port: UInt16 { server.port }

    /// Opens the database at `path`, which may be `:memory:`, and serves on an IPv4 `address` in
    /// host order. Port 0 lets the system choose.
    public init(
        database path: String,
        address: UInt32 = 0x7F00_0001,
        port: UInt16 = 0,
        limits: ServerLimits = ServerLimits(),
        salons: [Salon] = SampleSalons.all,
        lists: [ServedList] = ServedList.all,
        clock: any WallClock = SystemClock(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(StartFailure) {
        let store: BookingStore
        do {
            store = try BookingStore(Database(path: path), clock: clock)
        } catch {
            throw StartFailure(description: "the database \(path) cannot be used: \(error)")
        }
        let routes = Routes(
            store: store,
            salons: salons,
            lists: lists,
            zones: ZoneDirectory(),
            clock: clock,
            log: log
        )
        do throws(HTTPServer.CouldNotListen) {
            server = try HTTPServer(
                address: address,
                port: port,
                limits: limits,
                respond: {
                    routes.respond(to: $0).conditional(on: $0).cacheControlled(for: $0)
                }
            )
        } catch {
            throw StartFailure(description: "port \(port) cannot be listened on; try --port 0")
        }
    }

    /// Answers what is under way and stops.
    public func stop() { server.stop() }
}
