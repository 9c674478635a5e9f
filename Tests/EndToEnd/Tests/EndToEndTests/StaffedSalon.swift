import JSON
import Synchronization

/// A server with one salon that has services and staff.
enum StaffedSalon {
    /// A salon that is open around the clock, with weekly hours, two services, and two staff members.
    static let members = #"""
        "id":"\#(Sample.salon)","name":"Nova","location":"Berlin","open_time":0,"close_time":0,\#
        "slot_minutes":30,"time_zone":"UTC","weekly":{\#(weekly)},"services":[\#
        {"id":"cut","name":"Cut","minutes":30,"price":{"amount":4500,"currency":"EUR"}},\#
        {"id":"color","name":"Color","minutes":90,"price":{"amount":9000,"currency":"JPY"}}],\#
        "staff":[{"id":"ana","name":"Ana"},{"id":"ben","name":"Ben","services":["cut"]}]
        """#

    private static let weekly = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        .map { #""\#($0)":[["00:00","24:00"]]"# }.joined(separator: ",")

    /// The response to a request for a hold.
    static func hold(_ id: String = "h1") -> KeepAliveServer.Response {
        .reply(
            201,
            #"{"id":"\#(id)","expiresAt":"2030-01-07T12:05:00Z","staffId":"ana"}"#,
            headers: ["Date": "Mon, 07 Jan 2030 12:01:00 GMT"]
        )
    }

    /// A server with the salon that does not report availability, unless `fault` does.
    static func server(_ fault: SalonServer.Fault? = nil) throws -> SalonServer {
        let server = try SalonServer { request, state in
            if let response = fault?(request, &state) { return response }
            return request.path.hasSuffix("/availability") ? .reply(404) : nil
        }
        server.update { $0.salons[Sample.salon] = (members, 3) }
        return server
    }
}
