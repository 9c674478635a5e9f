import Networking
import Synchronization

/// A server of appointments in memory, and a client that sends it requests. One change gets an answer
/// of the test's choice.
final class ModelServer: HTTPClient {
    /// When the server carries out a change that gets the chosen answer.
    enum Execution: String, CaseIterable {
        case never = "not carried out"
        case before = "carried out"
        /// After the call has ended, because the answer came from a proxy that did not wait.
        case later = "carried out later"
    }

    private struct Appointment {
        var id: String
        var time: String
        var version = 1
        var isCancelled = false
        var key: String?
    }

    private struct State {
        var appointments = [Appointment(id: "a1", time: ModelServer.bookedTime)]
        var answersByKey: [String: HTTPResponse] = [:]
        var chosen: (answer: Answer, execution: Execution)?
        var late: [HTTPRequest] = []
        var executions = 0
        var changes = 0
    }

    static let url = "http://salons.example/appointments"
    /// The time of the appointment `a1`, which exists, and those that a test moves or books to.
    static let bookedTime = "2024-10-20T12:00:00Z"
    static let movedTime = "2024-10-20T14:00:00Z"
    static let newTime = "2024-10-20T13:00:00Z"
    private static let salon = "00000000-0000-0000-0000-000000000001"
    static let phone = "+49 30 1234567"

    /// An appointment of a different customer, which is also in the list.
    static let otherBooking =
        #"{"id":"o1","salonId":"\#(salon)","appointmentTime":"2024-10-20T17:00:00Z","#
        + #""phone":"+49 40 7654321","version":1,"status":"booked"}"#

    private let honorsKeys: Bool
    private let state: Mutex<State>

    /// - Parameter honorsKeys: Whether the server carries out each key once, shows keys, and checks
    ///   versions. A server that does not honor keys carries out whatever it receives.
    init(honorsKeys: Bool, _ answer: Answer, _ execution: Execution) {
        self.honorsKeys = honorsKeys
        state = Mutex(State(chosen: (answer, execution)))
    }

    /// How many times the server has carried out a booking or change.
    var executions: Int { state.withLock(\.executions) }
    /// How many requests to book or change something were sent.
    var changes: Int { state.withLock(\.changes) }
    /// The number of active appointments at ``newTime``.
    var bookings: Int {
        state.withLock { $0.appointments.count { !$0.isCancelled && $0.time == Self.newTime } }
    }
    var isMoved: Bool { state.withLock { $0.appointments[0].time == Self.movedTime } }
    var isCancelled: Bool { state.withLock { $0.appointments[0].isCancelled } }

    /// Carries out what was to be carried out later.
    func settle() {
        state.withLock { state in
            for request in state.late { _ = perform(request, &state) }
            state.late = []
        }
    }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        state.withLock { state in
            let path = request.url.prefix { $0 != "?" }
            guard path.hasPrefix(Self.url) else { return respond(to: request, 404) }
            if request.method == .get { return respond(to: request, 200, list(state)) }
            state.changes += 1
            guard let (answer, execution) = state.chosen else { return perform(request, &state) }
            state.chosen = nil
            switch execution {
            case .never: break
            case .before: _ = perform(request, &state)
            case .later: state.late.append(request)
            }
            return answer.response(to: request)
        }
    }

    private func perform(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        let key = honorsKeys ? request.headers["Idempotency-Key"] : nil
        if let key, let earlier = state.answersByKey[key] { return earlier }
        let response = change(request, key, &state)
        if let key { state.answersByKey[key] = response }
        return response
    }

    private func change(
        _ request: HTTPRequest,
        _ key: String?,
        _ state: inout State
    ) -> HTTPResponse {
        if request.method == .post {
            state.executions += 1
            let new = Appointment(id: "n\(state.executions)", time: Self.newTime, key: key)
            state.appointments.append(new)
            return respond(to: request, 201, json(new))
        }
        var changed = state.appointments[0]
        if honorsKeys, changed.isCancelled {
            return respond(to: request, 410, #"{"error":"appointmentNotFound","message":"gone"}"#)
        }
        if honorsKeys, request.headers["If-Match"] != "\"\(changed.version)\"" {
            return respond(to: request, 412, #"{"error":"versionConflict","message":"changed"}"#)
        }
        state.executions += 1
        changed.version += 1
        changed.key = key
        if request.method == .delete {
            changed.isCancelled = true
        } else {
            changed.time = Self.movedTime
        }
        state.appointments[0] = changed
        return respond(to: request, 200, json(changed))
    }

    private func list(_ state: State) -> String {
        let own = state.appointments.map(json)
        return #"{"appointments":["# + (own + [Self.otherBooking]).joined(separator: ",") + "]}"
    }

    private func json(_ appointment: Appointment) -> String {
        let key = appointment.key.map { #","idempotencyKey":"\#($0)""# } ?? ""
        return #"{"id":"\#(appointment.id)","salonId":"\#(Self.salon)","#
            + #""appointmentTime":"\#(appointment.time)","phone":"\#(Self.phone)","#
            + #""version":\#(appointment.version),"#
            + #""status":"\#(appointment.isCancelled ? "cancelled" : "booked")"\#(key)}"#
    }

    private func respond(
        to request: HTTPRequest,
        _ status: Int,
        _ body: String = ""
    ) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(body.utf8), url: request.url)
    }
}
