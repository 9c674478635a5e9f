import Foundation
import Synchronization

/// A server whose lists a test changes, and that a test can switch off.
final class ListedServer: Sendable {
    /// An appointment as the server lists it.
    struct Entry: Sendable {
        var id: String
        var salon = 0
        var time: String
        var more = ""

        fileprivate var text: String {
            #"{"id":"\#(id)","salonId":"\#(ZonedSalons.id(salon))","appointmentTime":"\#(time)","#
                + #""phone":"12345"\#(more)}"#
        }
    }

    private struct State {
        var salons = #"{"salons":[]}"#
        var appointments: [Entry] = []
        var isAway = false
        var salonRequests = 0
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private let shared = Shared()
    private let scripted: ScriptedServer
    var url: String { scripted.url }
    /// How often the salons were asked for.
    var salonRequests: Int { shared.state.withLock(\.salonRequests) }

    init() throws {
        scripted = try ScriptedServer { [shared] connection in
            shared.state.withLock { state in
                if state.isAway { return .nothing }
                if connection.request.hasPrefix("GET /appointments ") {
                    let entries = state.appointments.map(\.text).joined(separator: ",")
                    return .reply("200 OK", #"{"appointments":[\#(entries)]}"#)
                }
                state.salonRequests += 1
                return .reply("200 OK", state.salons)
            }
        }
    }

    /// Lists salons around the clock, one in each zone.
    func list(zones: [String]) { list(salons: ZonedSalons.list(zones)) }

    func list(salons: String) { shared.state.withLock { $0.salons = salons } }

    func list(_ appointments: [Entry]) {
        shared.state.withLock { $0.appointments = appointments }
    }

    func goAway() { shared.state.withLock { $0.isAway = true } }
}
