import JSONRPC
import Testing

@testable import NovaBlendKit

@Suite("The table of methods")
struct MethodTableTests {
    private func methods(isReadOnly: Bool = false) -> [Method] {
        let configuration = Configuration(
            endpoints: .init(base: "http://127.0.0.1:9"),
            cacheDirectory: "/nonexistent/cache",
            stateDirectory: "/nonexistent/state",
            isReadOnly: isReadOnly
        )
        return Composition(configuration).methods.methods
    }

    @Test("every method that changes something can be asked what it would do")
    func dryRuns() throws {
        // The protocol's handshake changes nothing but the connection.
        let changing = methods().filter { $0.effect != .reads && $0.name != "initialize" }
        for method in changing {
            #expect(method.parameters.contains(DryRun.parameter), "\(method.name)")
            #expect(method.result.schema.properties.contains(DryRun.property), "\(method.name)")
        }
        let names = Set(changing.map(\.name))
        #expect(
            names.isSuperset(of: [
                "appointments/book", "appointments/reschedule", "appointments/cancel",
                "appointments/resolve", "cache/validate", "cache/clear",
            ])
        )
    }

    @Test("what is sent to a remote takes an idempotency key, and is confirmed by a person")
    func keys() throws {
        let table = MethodTable(methods())
        for name in ["appointments/book", "appointments/reschedule", "appointments/cancel"] {
            let method = try #require(table[name])
            let key = try #require(method.idempotencyParameter)
            #expect(method.parameters.contains { $0.name == key && !$0.isRequired })
            #expect(method.confirmation != nil)
        }
    }

    @Test("cancelling destroys, moving does not, and both may be repeated")
    func effects() throws {
        let table = MethodTable(methods())
        let moving = Method.Effect.changes(isIdempotent: true)
        #expect(table["appointments/reschedule"]?.effect == moving)
        let cancelling = Method.Effect.changes(destroys: true, isIdempotent: true)
        #expect(table["appointments/cancel"]?.effect == cancelling)
    }
}
