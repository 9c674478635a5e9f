import JSON
import Testing

@Suite("Changing salons of the reference backend", .throttled, .timeLimit(.minutes(10)))
struct SalonBackendTests {
    private let id = Sample.salon

    /// The salon as salons/get returns it, with `old` replaced by `new`.
    private func edited(
        _ client: Novablend,
        _ old: String = "",
        _ new: String = ""
    ) async throws -> String {
        let salon = try await client.result("salons/get", #"{"id":"\#(id)"}"#)
        return try salon.required("salon").object().text.replacing(old, with: new)
    }

    @Test("shorter hours retain the bookings outside them, and list them")
    func shorterHours() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let booked = try await client.result("appointments/book", Sample.booking(hour: 12))
        _ = try await client.result("appointments/book", Sample.booking(hour: 10))
        let appointment = try booked.required("appointment").object().required("id").string()
        let salon = try await edited(client, #""close_time":22.3,"#, #""close_time":11.3,"#)
            .replacing(#","hours":"09:30-22:30""#, with: "")
        for more in [#","dryRun":true"#, "", ""] {
            let result = try await client.result("salons/put", #"{"salon":\#(salon)\#(more)}"#)
            let outside = try result.required("conflicts").array()
                .map { try $0.object().required("id").string() }
            #expect(outside == [appointment], "\(result.text)")
        }
        let listed = try await client.result("appointments/list").text
        #expect(listed.contains(appointment))
        let closed = try await client.failure("appointments/book", Sample.booking(hour: 13))
        #expect(closed.name == "outsideOpeningHours")
        let other = try Novablend(["--base-url", backend.url])
        #expect(try await edited(other).contains(#""hours":"09:30-11:30""#))
    }

    @Test("a new time zone lists the bookings with both local times, or moves them to keep theirs")
    func newZone() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("appointments/book", Sample.booking(hour: 12))
        let zone = #""time_zone":"Asia/Tokyo""#
        let salon = try await edited(client, #""hours":"09:30-22:30""#, zone)
        func put(_ more: String) async throws -> JSONObject {
            try await client.result("salons/put", #"{"salon":\#(salon)\#(more)}"#)
        }
        let stays = try await put(#","dryRun":true"#)
        let conflicts = try stays.required("conflicts").array().map { try $0.object() }
        let conflict = try #require(conflicts.first)
        let reasons = try conflict.required("reasons").array().map { try $0.string() }
        #expect(reasons == ["localTimeChanged"])
        let old = try conflict.required("appointmentTime").string()
        let new = try conflict.required("newLocalTime").string()
        #expect(old.hasSuffix("T12:00:00+0000") && new.hasSuffix("T21:00:00+09:00"))
        for more in [#","dryRun":true"#, ""] {
            let moves = try await put(#","keep":"wallClock""# + more)
            #expect(try moves.required("moved").integer() == 1, "\(moves.text)")
            #expect(moves.text.contains(#""conflicts":[]"#), "\(moves.text)")
        }
        let listed = try await client.result("appointments/list").text
        #expect(listed.contains("T12:00:00+0900"), "\(listed)")
        let invalid = try await client.failure(
            "salons/put",
            #"{"salon":\#(salon),"keep":"instant"}"#
        )
        #expect(invalid.code == -32_602 && invalid.message.contains(#""keep" must be wallClock"#))
    }

    @Test("two clients that change the same version: one succeeds, the other gets a conflict")
    func conflict() async throws {
        let backend = try await BackendProcess()
        let (first, second) = (
            try Novablend(["--base-url", backend.url]), try Novablend(["--base-url", backend.url])
        )
        let salon = try await edited(first, "Scherenschnitt", "First")
        let other = try await edited(second, "Scherenschnitt", "Second")
        _ = try await first.result("salons/put", #"{"salon":\#(salon)}"#)
        let failure = try await second.failure("salons/put", #"{"salon":\#(other)}"#)
        #expect(failure.name == "versionConflict")
        let current = try #require(try failure.data?.required("salon").object())
        #expect(try current.required("name").string() == "First")
        let again = try await edited(second, "First", "Second")
        let result = try await second.result("salons/put", #"{"salon":\#(again)}"#)
        #expect(result.text.contains(#"{"member":"name","old":"First","new":"Second"}"#))
    }

    @Test("a salon is deleted only without future bookings, and can be created again")
    func deletion() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let salon = try await edited(client)
        let booked = try await client.result("appointments/book", Sample.booking(hour: 12))
        let appointment = try booked.required("appointment").object().required("id").string()
        for more in [#","dryRun":true"#, ""] {
            let rejected = try await client.failure(
                "salons/delete",
                #"{"salonId":"\#(id)"\#(more)}"#
            )
            #expect(rejected.name == "salonHasBookings", "\(rejected)")
        }
        _ = try await client.result("appointments/cancel", #"{"id":"\#(appointment)"}"#)
        _ = try await client.result("salons/delete", #"{"salonId":"\#(id)"}"#)
        let gone = try await client.failure("salons/delete", #"{"salonId":"\#(id)"}"#)
        #expect(gone.name == "salonNotFound")
        let lookup = try await client.failure("salons/get", #"{"id":"\#(id)"}"#)
        #expect(lookup.name == "salonNotFound")
        let created = try await client.result("salons/put", #"{"salon":\#(salon)}"#)
        #expect(created.text.contains(#""outcome":"created""#))
        _ = try await client.result("appointments/book", Sample.booking(hour: 12))
    }

    @Test("a time zone that the server does not know is rejected, with the server's reason")
    func unknownZone() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let salon = try await edited(client, #""name""#, #""time_zone":"Mars/Olympus","name""#)
        let dry = try await client.result("salons/put", #"{"salon":\#(salon),"dryRun":true}"#)
        let reason = try dry.required("appointmentsError").string()
        #expect(reason == "this machine does not know the time zone Mars/Olympus")
        let failure = try await client.failure("salons/put", #"{"salon":\#(salon)}"#)
        #expect(failure.name == "serverRejected" && failure.message.contains("Mars/Olympus"))
        #expect(try failure.data?.required("status").integer() == 422)
    }
}
