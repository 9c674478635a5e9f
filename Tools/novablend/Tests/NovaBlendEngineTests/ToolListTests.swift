import JSON
import JSONRPC
import NovaBlendMethods
import Testing

@testable import NovaBlendEngine

/// Every MCP client loads the list of tools, and most models read it for each conversation.
@Suite("The list of tools")
struct ToolListTests {
    private func table(_ tools: String = "all", isReadOnly: Bool = false) -> MethodTable {
        var agents = AgentSettings()
        agents.tools = ToolSelection(tools)
        let configuration = Configuration(
            endpoints: .init(base: "http://127.0.0.1:9"),
            cacheDirectory: "/nonexistent/cache",
            stateDirectory: "/nonexistent/state",
            isReadOnly: isReadOnly
        )
        return Composition(configuration).makeServer(for: agents).methods
    }

    private func list(
        _ table: MethodTable,
        revision: String = "2025-11-25"
    ) async throws -> JSONFragment {
        let prefix = "io.modelcontextprotocol/"
        let meta =
            revision == "2025-11-25"
            ? "{}"
            : """
            {"_meta": {"\(prefix)protocolVersion": "\(revision)", "\(prefix)clientCapabilities": {}}}
            """
        return try await table.call("tools/list", JSONFragment(trusted: Array(meta.utf8)))
    }

    private func tools(_ table: MethodTable) async throws -> [JSONObject] {
        let result = try JSONDocument(parsing: try await list(table).bytes).root.object()
        return try result.required("tools").array().map { try $0.object() }
    }

    private func names(_ selection: String, isReadOnly: Bool = false) async throws -> Set<String> {
        let tools = try await tools(table(selection, isReadOnly: isReadOnly))
        return Set(try tools.map { try $0.required("name").string() })
    }

    @Test("it has a bounded size", arguments: [("booking", 12_000), ("all", 22_000)])
    func size(selection: String, limit: Int) async throws {
        let size = try await list(table(selection)).bytes.count
        #expect(size <= limit, "\(size) bytes")
    }

    @Test("the default is what an agent needs for bookings")
    func booking() async throws {
        let expected: Set = [
            SalonMethods.list.name, SalonMethods.get.name, ServiceMethods.services.name,
            ServiceMethods.staff.name,
            SlotMethods.availability.name, AppointmentMethods.list.name,
            AppointmentMethods.book.name,
            AppointmentMethods.hold.name, AppointmentMethods.release.name,
            AppointmentMethods.reschedule.name,
            AppointmentMethods.cancel.name, AppointmentMethods.resolve.name,
            AppointmentMethods.export.name,
        ]
        let names = try await names("")
        #expect(names == Set(expected.map { $0.replacing("/", with: "_") }))
        #expect(try await names == self.names("booking"))
    }

    @Test("each tool is in one set: the default, admin, cache, or that of its list")
    func sets() async throws {
        let lists = ListedResource.all.map(\.name)
        var found: [String] = []
        for set in ["booking", "admin", "cache"] + lists { found += try await names(set) }
        #expect(try await found.sorted() == names("all").sorted())
        #expect(try await names("admin") == ["salons_put", "salons_delete"])
        #expect(
            try await names("cache") == [
                "cache_status", "cache_validate", "cache_clear", "cache_erase",
            ]
        )
        for list in lists { #expect(try await names(list).contains("\(list)_list")) }
    }

    @Test("sets and single names are combined, exclusions win, and methods may be named")
    func selections() async throws {
        let booking = try await names("booking")
        let cancel = "appointments_cancel"
        #expect(try await names("-appointments_cancel") == booking.subtracting([cancel]))
        let spaced = try await names(" booking , -appointments/cancel ")
        #expect(spaced == booking.subtracting([cancel]))
        let repeated = try await names("-appointments_cancel,booking,appointments_cancel")
        #expect(repeated == booking.subtracting([cancel]))
        #expect(try await names("menu_list,salons/get") == ["menu_list", "salons_get"])
        #expect(try await names("menu,-menu_image") == ["menu_list"])
        let sets = ["booking", "admin", "cache"] + ListedResource.all.map(\.name)
        #expect(try await names(sets.joined(separator: ",")) == names("all"))
    }

    @Test("the order is that of the methods, whatever the order of the names")
    func order() async throws {
        let first = try await list(table("salons_get,salons_list")).description
        #expect(try await first == list(table("salons_list,salons_get")).description)
    }

    @Test("with read-only it has no tool that changes something")
    func readOnly() async throws {
        for tool in try await tools(table(isReadOnly: true)) {
            #expect(try tool.required("annotations").object()["readOnlyHint"] != nil)
        }
        let names = try await names("all", isReadOnly: true)
        #expect(names.contains("appointments_export") && !names.contains("appointments_book"))
    }

    @Test(
        "the instructions and the prompts are about tools that agents get",
        arguments: [
            ("", false, ["book_appointment", "find_salon"]), ("", true, ["find_salon"]),
            ("-appointments_book", false, ["find_salon"]), ("feed", false, []),
        ]
    )
    func instructions(selection: String, isReadOnly: Bool, prompts: [String]) async throws {
        let table = table(selection, isReadOnly: isReadOnly)
        let params =
            #"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t"}}"#
        let start = try await table.call("initialize", JSONFragment(trusted: Array(params.utf8)))
        let mayBook = prompts.contains("book_appointment")
        #expect(start.description.contains("appointments_book") == mayBook)
        #expect(start.description.contains("\"prompts\"") == !prompts.isEmpty)
        if prompts.isEmpty { return }
        let list = try await table.call("prompts/list", .emptyObject)
        let names = try JSONDocument(parsing: list.bytes).root.object().required("prompts").array()
            .map { try $0.object().required("name").string() }
        #expect(names == prompts)
    }

    @Test("every schema in it has one type, because many clients reject several")
    func types() async throws {
        for tool in try await tools(table()) {
            let name = try tool.required("name").string()
            for key: StaticString in ["inputSchema", "outputSchema"] {
                try expectTypes(in: tool.required(key), "\(name) \(key)")
            }
        }
    }

    private func expectTypes(in schema: JSONValue, _ path: String) throws {
        let object = try schema.object()
        #expect(object["type"]?.kind == .string, "\(path)")
        for (name, value) in try object["properties"]?.object().map({ $0 }) ?? [] {
            try expectTypes(in: value, "\(path).\(name)")
        }
        if let items = object["items"] { try expectTypes(in: items, "\(path)[]") }
        for key: StaticString in ["anyOf", "oneOf", "allOf"] {
            for branch in try object[key]?.array().map({ $0 }) ?? [] {
                try expectTypes(in: branch, "\(path).\(key)")
            }
        }
    }

    @Test("its texts name tools, not methods")
    func names() async throws {
        let table = table()
        let text = try await list(table).description
        for method in table.methods where method.name.contains("/") {
            #expect(!text.contains(method.name), "\(method.name)")
        }
    }
}
