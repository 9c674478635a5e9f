import Foundation
import JSON

/// What a ``BookingServer`` stores, and how it responds to requests without a fault.
struct BookingState: ServerState {
    struct Entry: Sendable {
        var id: String
        var time: String
        /// The phone number as it is listed; nil if the list omits it.
        var phone: String?
        var version = 1
        var isCancelled = false
    }

    /// The opening and closing hour of the sample salon.
    var hours = (opens: 0, closes: 0)
    var entries: [Entry] = []
    var requests: [ReceivedRequest] = []
    /// Converts the phone number of a booking to the number that is stored.
    var storedPhone: @Sendable (String) -> String? = { $0 }
    /// A flag for faults; the server itself does not read it.
    var isUnreachable = false
    /// Whether the server states in `/openapi.json` that it honors idempotency keys.
    var statesKeys = false
    /// Whether a second booking at the same time is rejected.
    var rejectsTaken = true
    /// Requests that are carried out later, when the last number of lists has been requested.
    var delayed: [(request: ReceivedRequest, lists: Int)] = []
    /// Whether a cancelled appointment is removed from the list.
    var removesCancelled = false

    var salonList: String {
        let hours = #""open_time":\#(hours.opens).0,"close_time":\#(hours.closes).0"#
        return #"{"salons":[{"id":"\#(Sample.salon)","name":"n","location":"l",\#(hours)}]}"#
    }

    var appointmentList: String {
        #"{"appointments":[\#(entries.map(Self.text).joined(separator: ","))]}"#
    }

    /// How many appointments at this time are not cancelled.
    func count(at time: String) -> Int { entries.count { $0.time == time && !$0.isCancelled } }

    mutating func process(_ request: ReceivedRequest) -> KeepAliveServer.Response {
        switch (request.method, request.path) {
        case ("GET", "/salons"): .reply(200, salonList)
        case ("GET", "/appointments"): list()
        case ("GET", "/openapi.json") where statesKeys: .reply(200, Self.openAPI)
        case ("POST", "/appointments"): book(request)
        case ("PATCH", _), ("DELETE", _): change(request)
        default: .reply(404)
        }
    }

    private static let openAPI =
        #"{"paths":{"/appointments":{"post":{"parameters":"#
        + #"[{"name":"Idempotency-Key","in":"header"}]}}}}"#

    /// Carries out the delayed requests that are due, and lists the appointments.
    private mutating func list() -> KeepAliveServer.Response {
        for index in delayed.indices { delayed[index].lists -= 1 }
        let due = delayed.filter { $0.lists <= 0 }
        delayed.removeAll { $0.lists <= 0 }
        for (request, _) in due { _ = process(request) }
        return .reply(200, appointmentList)
    }

    private mutating func book(_ request: ReceivedRequest) -> KeepAliveServer.Response {
        guard let time = Self.member("appointmentTime", of: request),
            let phone = Self.member("phone", of: request)
        else { return .reply(400) }
        guard count(at: time) == 0 || !rejectsTaken else {
            return .reply(409, #"{"error":"slotUnavailable"}"#)
        }
        let entry = Entry(id: "a\(entries.count + 1)", time: time, phone: storedPhone(phone))
        entries.append(entry)
        return .reply(201, Self.text(entry))
    }

    private mutating func change(_ request: ReceivedRequest) -> KeepAliveServer.Response {
        let index = entries.firstIndex { request.path == "/appointments/\($0.id)" }
        guard let index, !entries[index].isCancelled else {
            return .reply(404, #"{"error":"appointmentNotFound"}"#)
        }
        guard request.headers["if-match"] == "\"\(entries[index].version)\"" else {
            return .reply(412, #"{"error":"versionConflict"}"#)
        }
        entries[index].version += 1
        if let time = Self.member("appointmentTime", of: request) { entries[index].time = time }
        entries[index].isCancelled = request.method == "DELETE"
        let text = Self.text(entries[index])
        if removesCancelled { entries.removeAll(where: \.isCancelled) }
        return .reply(200, text)
    }

    private static func member(_ key: StaticString, of request: ReceivedRequest) -> String? {
        let object = try? JSONDocument(parsing: Array(request.body.utf8)).root.object()
        return try? object?.required(key).string()
    }

    private static func text(_ entry: Entry) -> String {
        let phone = entry.phone.map { #","phone":"\#($0)""# } ?? ""
        let status = entry.isCancelled ? #","status":"cancelled""# : ""
        return #"{"id":"\#(entry.id)","version":\#(entry.version),"salonId":"\#(Sample.salon)","#
            + #""appointmentTime":"\#(entry.time)"\#(phone)\#(status)}"#
    }
}
