import BackendKit
import Foundation
import JSON
import JSONRPC
import JSONRPCTestSupport
import NovaBlendEngine
import SystemTestSupport
import Testing

/// Adds a sixth resource in a separate package, with only the steps of docs/Adding a Resource.md and
/// the public API.
@Suite("A sixth resource", .timeLimit(.minutes(10)))
struct SixthResourceTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Steps 5 and 6 are one line each: `+ [.drinks]`.
    private func serve(baseURL: String) throws -> RawConnection {
        let configuration = Configuration(
            endpoints: .init(base: baseURL),
            cacheDirectory: directory.file("cache"),
            stateDirectory: directory.file("state")
        )
        let composition = Composition(configuration, lists: ListedResource.all + [.drinks])
        return try RawConnection(table: composition.makeServer().methods)
    }

    private func result(
        _ connection: RawConnection,
        _ method: String,
        _ params: String = "{}"
    ) async throws -> JSONObject {
        connection.send(
            #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"# + "\n"
        )
        let line = try #require(await connection.line())
        let reply = try JSONDocument(parsing: Array(line.utf8)).root.object()
        return try #require(reply["result"], "\(line)").object()
    }

    private func source(_ result: JSONObject) throws -> String {
        try result.required("provenance").object().required("source").string()
    }

    @Test("is listed, searched, paged, cached, validated, and has images")
    func added() async throws {
        let backend = try Backend(database: ":memory:", lists: ServedList.all + [.drinks])
        let connection = try serve(baseURL: "http://127.0.0.1:\(backend.port)")
        let list = try await result(connection, "drinks/list", #"{"limit":2}"#)
        #expect(try list.required("drinks").array().count == 2 && source(list) == "server")
        #expect(try list.required("total").integer() == 3)
        let matches = try await result(connection, "drinks/list", #"{"query":"MATE"}"#)
        let mate = try #require(matches.required("drinks").array().first { _ in true }).object()
        #expect(try mate.required("name").string() == "Mate")
        let url = try mate.required("image").string()
        let image = try await result(connection, "drinks/image", #"{"url":"\#(url)"}"#)
        #expect(try image.required("mediaType").string() == "image/png")
        let document = try await result(connection, "rpc.discover")
        let text = JSONFragment { $0.value(document.value) }.description
        #expect(text.contains("drinks/list") && text.contains("drinks/image"))

        backend.stop()

        let offline = try await result(connection, "drinks/list")
        #expect(try offline.required("drinks").array().count == 3 && source(offline) == "cache")
        let cached = try await result(connection, "drinks/image", #"{"url":"\#(url)"}"#)
        #expect(try source(cached) == "cache")
        let validated = try await result(connection, "cache/validate")
        #expect(try validated.required("drinks").string() == "valid")
        connection.endInput()
    }

    @Test("is loaded completely from a server that sends it in pages")
    func pages() async throws {
        let backend = try Backend(database: ":memory:", lists: [.drinks])
        // The query of the base URL is added to each list.
        let connection = try serve(baseURL: "http://127.0.0.1:\(backend.port)/?limit=1")
        for _ in 1...2 {
            let list = try await result(connection, "drinks/list")
            #expect(try list.required("drinks").array().count == 3)
            // With a single page, the second load would revalidate it.
            #expect(try source(list) == "server")
        }
        connection.endInput()
    }

    @Test("has its own policy: offline, an empty cache gives an empty list, not an error")
    func policy() async throws {
        let connection = try serve(baseURL: "http://127.0.0.1:1")
        let list = try await result(connection, "drinks/list")
        #expect(try list.required("drinks").array().count == 0 && source(list) == "none")
        connection.endInput()
    }

    @Test("has a checklist that names exactly the files of the repository's own resources")
    func checklist() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../..").standardized
        let text = try String(
            contentsOf: root.appending(path: "docs/Adding a Resource.md"),
            encoding: .utf8
        )
        let files = text.components(separatedBy: "`").filter {
            $0.hasPrefix("Packages/") || $0.hasPrefix("Tools/")
        }
        #expect(files.count == 7)
        for file in files {
            let path = root.appending(path: file.replacing("Thing", with: "Movie")).path
            let plural = root.appending(path: file.replacing("Things", with: "Movies")).path
            let exists = [path, plural].contains { FileManager.default.fileExists(atPath: $0) }
            #expect(exists, "\(file)")
        }
    }
}
