import JSON
import JSONRPC
import NovaBlendAdapters
import Testing

@testable import NovaBlendEngine
@testable import NovaBlendMethods

@Suite("The table of methods")
struct MethodTableTests {
    private func methods(isReadOnly: Bool = false) -> [Method] {
        let configuration = Configuration(
            endpoints: .init(base: "http://127.0.0.1:9"),
            cacheDirectory: "/nonexistent/cache",
            stateDirectory: "/nonexistent/state",
            isReadOnly: isReadOnly
        )
        return Composition(configuration).makeServer().methods.methods
    }

    @Test("every method that changes something has a dry run")
    func dryRuns() throws {
        // The protocol's handshake changes only the connection.
        let changing = methods().filter { $0.effect != .reads && $0.name != "initialize" }
        for method in changing {
            let names = method.parameters.map(\.name)
            #expect(names.contains(DryRun.parameter.name), "\(method.name)")
            #expect(method.result.schema.properties.contains(DryRun.property), "\(method.name)")
        }
        let names = Set(changing.map(\.name))
        #expect(
            names.isSuperset(of: [
                "appointments/book", "appointments/reschedule", "appointments/cancel",
                "appointments/resolve", "salons/put", "salons/delete", "cache/validate",
                "cache/clear", "cache/erase",
            ])
        )
    }

    @Test("an empty string or array counts as absent in the calls of agents")
    func emptyParameters() {
        let tools = methods().filter { !$0.acceptsUnknownParameters && !$0.parameters.isEmpty }
        let others = tools.filter { !$0.treatsEmptyAsAbsent }.map(\.name)
        #expect(tools.count > 20)
        #expect(others == ["resource/subscribe", "resource/unsubscribe"])
    }

    @Test(
        "every method declares its data, and methods that only report state do not wait for bookings"
    )
    func data() throws {
        // The data of these methods depends on the called tool or resource.
        let exceptions: Set = ["tools/call", "resources/read"]
        for method in methods() where !exceptions.contains(method.name) {
            #expect(method.data != nil, "\(method.name)")
        }
        let table = MethodTable(methods())
        let booked = try #require(table["appointments/book"]?.data).changes
        for name in ["ping", "tools/list", "cache/status", "salons/list", "rpc.discover"] {
            let data = try #require(table[name]?.data)
            #expect(data.reads.union(data.changes).isDisjoint(with: booked), "\(name)")
        }
        for name in ["appointments/list", "salons/availability", "appointments/export"] {
            #expect(try #require(table[name]?.data).reads.isSuperset(of: booked), "\(name)")
        }
    }

    @Test("discarding requires confirmation, but a resolution and a dry run do not")
    func discarding() async throws {
        let method = try #require(MethodTable(methods())["appointments/resolve"])
        let makeConfirmation = try #require(method.declaration.makeConfirmation)
        for params in ["{}", #"{"discard":"k","dryRun":true}"#] {
            let encoded = JSONFragment(trusted: Array(params.utf8))
            let confirmation = try await makeConfirmation(Params(encoded: encoded, for: method))
            #expect(confirmation == nil)
        }
    }

    @Test("methods that send a change have an idempotency key and require confirmation")
    func keys() throws {
        let table = MethodTable(methods())
        for name in ["appointments/book", "appointments/reschedule", "appointments/cancel"] {
            let method = try #require(table[name])
            let key = try #require(method.idempotencyParameter)
            #expect(method.parameters.contains { $0.name == key && !$0.isRequired })
            #expect(method.declaration.makeConfirmation != nil)
        }
    }

    @Test("changes of salons require confirmation, and lists of salons wait for them")
    func salons() throws {
        let table = MethodTable(methods())
        for name in ["salons/put", "salons/delete"] {
            let method = try #require(table[name])
            #expect(
                method.declaration.makeConfirmation != nil && method.idempotencyParameter == nil
            )
            let changed = try #require(method.data).changes
            for reading in ["salons/list", "salons/get", "appointments/book"] {
                let data = try #require(table[reading]?.data)
                #expect(!data.reads.isDisjoint(with: changed), "\(reading)")
            }
        }
    }

    @Test("every error is declared by a method, except a failed cache write and those of commands")
    func errors() {
        let declared = Set(methods().flatMap(\.errors))
        // A failed cache write never fails a call: results report it in `cacheError`.
        #expect(
            Set(ProgramError.allCases).subtracting(declared)
                == [.cacheInsertion, .inputOutput, .invalidConfiguration]
        )
    }

    @Test("exactly the methods that change something can fail because of read-only")
    func readOnlyErrors() {
        for method in methods() where method.name != "initialize" {
            #expect(method.errors.contains(.readOnly) == method.mayChange, "\(method.name)")
        }
    }

    @Test("every described method has an example with all required parameters and no unknown ones")
    func examples() async throws {
        let table = MethodTable(methods())
        let document = try JSONDocument(parsing: try await table.call("rpc.discover").bytes)
        for description in try document.root.object().required("methods").array() {
            let name = try description.object().required("name").string()
            let method = try #require(table[name])
            let given = Set(try #require(method.example, "\(name)").map(\.key))
            let required = method.parameters.filter(\.isRequired).map(\.name)
            #expect(given.isSuperset(of: required), "\(name)")
            #expect(given.isSubset(of: method.parameters.map(\.name)), "\(name)")
        }
    }
}
