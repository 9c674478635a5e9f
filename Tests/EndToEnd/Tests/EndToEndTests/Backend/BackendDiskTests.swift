import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("The backend cannot write its database", .throttled, .timeLimit(.minutes(10)))
struct BackendDiskTests {
    @Test(
        "bookings are rejected while nothing can be written; none is lost, and later ones succeed",
        arguments: SmallDisk.allowed
    )
    func full(disk: SmallDisk) async throws {
        let directory = try TemporaryDirectory()
        let backend = try await BackendProcess(
            database: directory.path + "/backend.sqlite",
            through: disk.wrapper(directory.path)
        )
        let client = LoadClient(port: backend.port.number, connections: 16)
        let exchanges = await client.run((0..<2_000).map { .booking($0) })
        var (confirmed, rejected): (Set<String>, [HTTPRequest]) = ([], [])
        for (number, exchange) in exchanges.enumerated() {
            let response = try #require(exchange.response, "\(exchange.request.key): no response")
            if response.status == 201 {
                confirmed.insert(HTTPRequest.phone(number))
            } else {
                #expect([503, 507].contains(response.status), "\(response.text)")
                #expect(try !response.object().required("message").string().isEmpty)
                rejected.append(exchange.request)
            }
        }
        #expect(!confirmed.isEmpty && !rejected.isEmpty)
        #expect(Set(try await backend.appointments().map(\.phone)) == confirmed)
        #expect(try await backend.get("/salons").status == 200)
        try await disk.makeSpace(for: backend.child, directory.path)
        for request in rejected.prefix(10) {
            let repeated = try await backend.response(to: request)
            #expect(repeated.status == 201, "\(repeated.text)")
        }
        let afterwards = Set(try await backend.appointments().map(\.phone))
        #expect(afterwards.isSuperset(of: confirmed) && afterwards.count == confirmed.count + 10)
    }
}
