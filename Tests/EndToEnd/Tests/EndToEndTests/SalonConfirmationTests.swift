import JSON
import Testing

@Suite("Confirmation of tool calls that change salons", .throttled, .timeLimit(.minutes(10)))
struct SalonConfirmationTests {
    private static let later =
        #"{"id":"\#(Sample.salon)","name":"Nova","location":"Berlin","open_time":9.3,"#
        + #""close_time":20,"time_zone":"Europe/Berlin"}"#
    private let put = #"{"salon":\#(later)}"#
    private let delete = #"{"salonId":"\#(Sample.salon)"}"#

    private func fixture(
        _ generation: ElicitationClient.Generation,
        _ options: [String] = []
    ) async throws -> (SalonServer, ElicitationClient) {
        let server = try SalonServer()
        let novablend = try Novablend(
            ["--base-url", server.url, "--tools", "admin,salons_get"] + options
        )
        return (server, try await ElicitationClient(novablend, generation))
    }

    @Test(
        "the question shows the changes, and the confirmed call makes them",
        arguments: ElicitationClient.Generation.allCases
    )
    func confirmed(generation: ElicitationClient.Generation) async throws {
        let (server, client) = try await fixture(generation)
        let changing = try await client.call("salons_put", put)
        #expect(
            changing.question == """
                Change this salon?
                Salon: Nova, Berlin
                ID: \(Sample.salon), version 3
                close_time: 18:00 -> 20:00
                """
        )
        #expect(server.changes.isEmpty)
        let changed = try #require(try await client.confirm(changing).result)
        #expect(changed["isError"] == nil && server.changes.count == 1, "\(changed.text)")
        let deleting = try await client.call("salons_delete", delete)
        #expect(deleting.question?.hasPrefix("Delete this salon?\nSalon: Nova, Berlin\n") == true)
        #expect(try await client.confirm(deleting).result?["isError"] == nil)
        #expect(server.salon == nil)
    }

    @Test(
        "a confirmation applies only to the version that the question showed",
        arguments: ElicitationClient.Generation.allCases
    )
    func version(generation: ElicitationClient.Generation) async throws {
        let (server, client) = try await fixture(generation)
        for (tool, arguments) in [("salons_put", put), ("salons_delete", delete)] {
            let question = try await client.call(tool, arguments)
            #expect(question.question != nil)
            server.update { $0.salons[Sample.salon]?.version += 1 }
            let conflict = try await client.confirm(question)
            #expect(try conflict.errorName == "versionConflict", "\(conflict)")
        }
        let new = put.replacing("5a1", with: "5a2")
        let creating = try await client.call("salons_put", new)
        #expect(creating.question?.hasPrefix("Create this salon?") == true)
        let members = SalonServer.members.replacing("5a1", with: "5a2")
        server.update { $0.salons[Sample.salon.replacing("5a1", with: "5a2")] = (members, 1) }
        let conflict = try await client.confirm(creating)
        #expect(try conflict.errorName == "versionConflict", "\(conflict)")
        #expect(server.changes.isEmpty)
    }

    @Test(
        "there is no question if nothing would change, or if a check fails before the call",
        arguments: ElicitationClient.Generation.allCases
    )
    func unasked(generation: ElicitationClient.Generation) async throws {
        let (server, client) = try await fixture(generation)
        let same = put.replacing(":20,", with: ":18,")
        let unchanged = try await client.call("salons_put", same)
        #expect(unchanged.question == nil && unchanged.result?["isError"] == nil)
        server.update { $0.appointments = [SalonServer.appointment("a", "2099-03-02T12:00:00Z")] }
        for (tool, arguments, name) in [
            ("salons_put", #"{"salon":{}}"#, "invalidParams"),
            ("salons_put", put.dropLast() + #","version":2}"#, "versionConflict"),
            ("salons_delete", delete, "salonHasBookings"),
            ("salons_delete", delete.replacing("5a1", with: "fff"), "salonNotFound"),
        ] as [(String, String, String)] {
            let outcome = try await client.call(tool, arguments)
            #expect(try outcome.errorName == name, "\(outcome)")
        }
        let (readOnly, reader) = try await fixture(generation, ["--read-only"])
        for (tool, arguments) in [("salons_put", put), ("salons_delete", delete)] {
            #expect(try await reader.call(tool, arguments).errorName == "readOnly")
        }
        #expect(server.changes.isEmpty && readOnly.changes.isEmpty)
    }
}
