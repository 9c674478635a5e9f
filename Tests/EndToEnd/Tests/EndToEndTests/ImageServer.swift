/// A server whose feed and menu list images. A closure responds to requests for the images.
struct ImageServer {
    private let server: ScriptedServer

    var url: String { server.url }

    /// `images` returns the URLs of the images in the feed and the menu, given the origin of the
    /// server.
    init(
        naming images: @escaping @Sendable (String) -> [String] = { [$0 + "/a"] },
        _ respond: @escaping @Sendable (ScriptedServer.Connection) -> ScriptedServer.Response
    ) throws {
        server = try ScriptedServer { Self.list(for: $0, naming: images) ?? respond($0) }
    }

    /// The response to a request for a list; nil for any other request.
    static func list(
        for connection: ScriptedServer.Connection,
        naming images: @Sendable (String) -> [String] = { [$0 + "/a"] }
    ) -> ScriptedServer.Response? {
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

    /// The origin that the client connected to, from the Host header.
    private static func origin(_ request: String) -> String {
        let field = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host: ") }
        return "http://" + (field?.dropFirst("host: ".count) ?? "")
    }
}
