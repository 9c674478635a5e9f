import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

@Suite("Subscriptions", .throttled, .timeLimit(.minutes(10)))
struct SalonSubscriptionTests {
    private func salon(_ number: Int, _ name: String) -> String {
        #"{"id":"5a100000-0000-4000-8000-00000000000\#(number)","name":"\#(name)","location":"x","#
            + #""open_time":9.00,"close_time":18.00}"#
    }

    private func uri(_ number: Int) -> String {
        "novablend://salons/5a100000-0000-4000-8000-00000000000\(number)"
    }

    @Test("a subscription to a salon reports a change in a list that this process requested")
    func ownList() async throws {
        let server = try ListServer()
        server.list(salons: #"{"salons":[\#(salon(1, "Old")),\#(salon(2, "Same"))]}"#)
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("salons/list")
        for number in [1, 2] {
            _ = try await client.result("resources/subscribe", #"{"uri":"\#(uri(number))"}"#)
        }
        server.list(salons: #"{"salons":[\#(salon(1, "New")),\#(salon(2, "Same"))]}"#)
        client.send(7, "salons/list", "{}")
        let lines = [await client.child.line(), await client.child.line()].compactMap(\.self)
        #expect(lines.contains { $0.contains("resources/updated") && $0.contains(uri(1)) })
        #expect(!lines.contains { $0.contains("resources/updated") && $0.contains(uri(2)) })
    }

    @Test("a subscription to a salon reports a change in a list that a different process cached")
    func otherProcess() async throws {
        let server = try ListServer()
        server.list(salons: #"{"salons":[\#(salon(1, "Old"))]}"#)
        let directory = try TemporaryDirectory()
        let subscriber = try Novablend(["--base-url", server.url], in: directory)
        let other = try Novablend(["--base-url", server.url], in: directory)
        _ = try await subscriber.result("salons/list")
        _ = try await subscriber.result("resources/subscribe", #"{"uri":"\#(uri(1))"}"#)
        server.list(salons: #"{"salons":[\#(salon(1, "New"))]}"#)
        _ = try await other.result("salons/list")
        let line = await subscriber.child.line()
        #expect(line?.contains("resources/updated") == true && line?.contains(uri(1)) == true)
    }

    @Test("a changed list is reported once to the process that requested it")
    func ownChange() async throws {
        let server = try ListServer()
        server.list(salons: #"{"salons":[\#(salon(1, "Old"))]}"#)
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("salons/list")
        _ = try await client.result("resource/subscribe", #"{"resource":"salons"}"#)
        server.list(salons: #"{"salons":[\#(salon(1, "New"))]}"#)
        client.send(7, "salons/list", "{}")
        let lines = [await client.child.line(), await client.child.line()].compactMap(\.self)
        #expect(lines.count { $0.contains("resource/didChange") } == 1, "\(lines)")
        #expect(lines.count { $0.contains(#""id":7,"result""#) } == 1, "\(lines)")
    }

    @Test("an unchanged list is not reported, regardless of which process requested it")
    func unchanged() async throws {
        let server = try ListServer()
        server.list(salons: #"{"salons":[\#(salon(1, "Old"))],"appointments":[]}"#)
        let directory = try TemporaryDirectory()
        let client = try Novablend(["--base-url", server.url], in: directory)
        let other = try Novablend(["--base-url", server.url], in: directory)
        _ = try await client.result("salons/list")
        for resource in ["salons", "appointments"] {
            _ = try await client.result("resource/subscribe", #"{"resource":"\#(resource)"}"#)
        }
        _ = try await client.result("salons/list")
        _ = try await other.result("salons/list")
        // Changes are reported in the order of the writes, so a report for the salons would come first.
        server.list([.init(id: "a", time: "2030-01-01T10:00:00+0000")])
        _ = try await other.result("appointments/list")
        let line = await client.child.line()
        #expect(line?.contains(#""resource":"appointments""#) == true, "\(line ?? "")")
    }
}
