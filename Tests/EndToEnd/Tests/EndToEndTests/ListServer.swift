import Foundation
import Synchronization

/// A server whose lists a test sets, and that a test can take offline.
final class ListServer: Sendable {
    /// An appointment in the list.
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
        var isOffline = false
        var salonRequests = 0
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private let shared = Shared()
    private let scripted: ScriptedServer
    var url: String { scripted.url }
    /// How many times the salons were requested.
    var salonRequests: Int { shared.state.withLock(\.salonRequests) }

    init() throws {
        scripted = try ScriptedServer { [shared] connection in
            shared.state.withLock { state in
                if state.isOffline { return .hangUp }
                if connection.request.hasPrefix("GET /appointments ") {
                    let entries = state.appointments.map(\.text).joined(separator: ",")
                    return .reply("200 OK", #"{"appointments":[\#(entries)]}"#)
                }
                state.salonRequests += 1
                return .reply("200 OK", state.salons)
            }
        }
    }

    /// Sets the list of salons to one in each zone, open around the clock.
    func list(zones: [String]) { list(salons: ZonedSalons.list(zones)) }

    func list(salons: String) { shared.state.withLock { $0.salons = salons } }

    func list(_ appointments: [Entry]) {
        shared.state.withLock { $0.appointments = appointments }
    }

    func goOffline() { shared.state.withLock { $0.isOffline = true } }
}
