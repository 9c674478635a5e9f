/// A server whose feed and menu name images, and that answers requests for them as a test says.
struct ImageServer {
    private let server: ScriptedServer

    var url: String { server.url }

    /// `images` gives the URLs that both lists name, from the origin of the server.
    init(
        naming images: @escaping @Sendable (String) -> [String] = { [$0 + "/a"] },
        _ answer: @escaping @Sendable (ScriptedServer.Connection) -> ScriptedServer.Answer
    ) throws {
        server = try ScriptedServer { Self.list(for: $0, naming: images) ?? answer($0) }
    }

    /// The answer to a request for a list; nil for any other request.
    static func list(
        for connection: ScriptedServer.Connection,
        naming images: @Sendable (String) -> [String] = { [$0 + "/a"] }
    ) -> ScriptedServer.Answer? {
        let isList = ["GET /feed", "GET /menu"].contains { connection.request.hasPrefix($0) }
        return isList ? .reply("200 OK", list(images(origin(connection.request)))) : nil
    }

    private static func list(_ images: [String]) -> String {
        let items = images.enumerated().map { index, url in
            let id = "00000000-0000-4000-8000-00000000000\(index)"
            return #"{"id":"\#(id)","name":"n","image":"\#(url)"}"#
        }
        return #"{"items":[\#(items.joined(separator: ","))]}"#
    }

    /// The origin that the client connected to, as its Host header names it.
    private static func origin(_ request: String) -> String {
        let field = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host: ") }
        return "http://" + (field?.dropFirst("host: ".count) ?? "")
    }
}
