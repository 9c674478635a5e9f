import Contract
import Domain
import DomainTestSupport
import JSON
import JSONRPC
import Testing

@testable import NovaBlendMethods

@Suite("The method that lists salons")
struct SalonListMethodTests {
    /// Calls the method for these salons, and returns its result.
    private func list(_ salons: [Salon], _ params: String = "{}") async throws -> JSONObject {
        let loader = ResourceLoader(
            policy: .salons,
            server: ResourceAPIStub(.success(EncodedList<SalonListCodec>(salons))),
            cache: CacheSpy(),
            clock: ManualClock(),
            emptyValue: EncodedList([])
        )
        let result = try await MethodTable(SalonMethods(loader, zones: ZonesStub()).all)
            .call("salons/list", JSONFragment(trusted: Array(params.utf8)))
        return try JSONDocument(parsing: result.bytes).root.object()
    }

    private func names(_ result: JSONObject) throws -> [String] {
        try result.required("salons").array().map { try $0.object().required("name").string() }
    }

    @Test(
        "returns only the rest after a cursor, however many salons there are",
        arguments: [3, 100, 101, 250]
    )
    func rest(count: Int) async throws {
        let salons = (1...count).map { Samples.salon(UInt8($0)) }
        let first = try await list(salons, #"{"limit":\#(count - 1)}"#)
        #expect(try names(first).count == count - 1)
        let cursor = try first.required("nextCursor").string()
        for limit in ["", #","limit":\#(count)"#] {
            let rest = try await list(salons, #"{"cursor":"\#(cursor)"\#(limit)}"#)
            #expect(try names(rest) == ["Salon \(count)"])
            #expect(try rest.required("total").integer() == count)
            #expect(rest["nextCursor"] == nil)
        }
    }

    @Test(
        "takes the offset of openAt for the clock of a salon without a time zone",
        arguments: [
            // The salon is open from 09:30 to 22:30.
            ("2024-10-21T09:45+02:00", true), ("2024-10-21T09:15+02:00", false),
            ("2024-10-21T22:15-05:00", true), ("2024-10-21T22:45-05:00", false),
            ("2024-10-21T09:45Z", true), ("2024-10-21T09:15Z", false),
        ]
    )
    func openAt(time: String, isOpen: Bool) async throws {
        let result = try await list([Samples.salon()], #"{"openAt":"\#(time)"}"#)
        #expect(try names(result) == (isOpen ? ["Salon 1"] : []))
    }
}
