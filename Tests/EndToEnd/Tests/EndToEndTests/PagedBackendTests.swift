import Foundation
import JSON
import SystemTestSupport
import Testing

/// The client at our backend, whose pages have at most 1,000 appointments.
@Suite("Pages of the backend", .throttled, .timeLimit(.minutes(10)))
struct PagedBackendTests {
    @Test(
        "a list of more than one page of 1,000 appointments is complete",
        arguments: [1_000, 1_001]
    )
    func manyAppointments(count: Int) async throws {
        let backend = try await BackendProcess()
        let slots = Slots()
        let connection = try TCPConnection(port: backend.port.number)
        for _ in 0..<count {
            let body = "{\(slots.take().members)}"
            connection.send(HTTPRequest.json("POST", "/appointments", body).text)
            let booked = try #require(connection.response())
            try #require(booked.status == 201, "\(booked.head)")
        }
        connection.send(HTTPRequest.get("/appointments").text)
        let page = try #require(connection.response()).head
        #expect(page.contains("rel=\"next\"") == (count > 1_000), "\(page)")

        let client = try Novablend(["--base-url", backend.url])
        for source in ["server", "revalidated"] {
            let list = try await client.result("appointments/list", #"{"limit":1}"#)
            #expect(try list.required("total").integer() == count && list.source() == source)
        }
        let cached = try await client.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(try cached.count("appointments") == count)
    }

    @Test("bookings are found and changed on every page of a list whose URL has a limit")
    func smallPages() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend([
            "--salons-url", backend.url + "/salons?limit=2",
            "--appointments-url", backend.url + "/appointments?limit=2",
        ])
        let slots = Slots()
        var ids: [String] = []
        for _ in 0..<5 {
            let booked = try await client.result("appointments/book", "{\(slots.take().members)}")
            ids.append(try booked.required("appointment").object().required("id").string())
        }
        let list = try await client.result("appointments/list")
        let listed = try list.required("appointments").array()
            .map { try $0.object().required("id").string() }
        #expect(try list.source() == "server" && Set(listed) == Set(ids) && listed.count == 5)
        for id in ids {
            let result = try await client.result("appointments/cancel", #"{"id":"\#(id)"}"#)
            #expect(result.text.contains(#""status":"cancelled""#))
        }
        #expect(try await client.result("appointments/list").count("appointments") == 0)
        let all = try await Novablend(["--base-url", backend.url]).result("salons/list")
        let salons = try await client.result("salons/list")
        #expect(try salons.count("salons") == all.count("salons") && salons.count("salons") > 4)
    }
}
