import JSON
import SystemTestSupport

extension ReceivedResponse {
    /// Whether the server ends the connection after this response.
    var closesConnection: Bool { field("Connection")?.lowercased() == "close" }

    func object() throws -> JSONObject { try JSONDocument(parsing: body).root.object() }
}
