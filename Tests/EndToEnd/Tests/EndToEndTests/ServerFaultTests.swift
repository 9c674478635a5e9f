import Foundation
import JSON
import Synchronization
import Testing

/// A server that responds to its first `healthy` requests with empty lists, and then with `fault`.
private func failing(
    _ fault: ScriptedServer.Response,
    afterRequests healthy: Int = 1
) throws -> ScriptedServer {
    let count = RequestCounter()
    return try ScriptedServer { _ in
        let number = count.next()
        return number <= healthy ? .reply("200 OK", #"{"salons":[],"items":[]}"#) : fault
    }
}

@Suite("Servers that are reached but fail", .throttled, .timeLimit(.minutes(10)))
struct ServerFaultTests {
    @Test(
        "429 and every 5xx are answered from a fresh cache, and serverError has the status",
        arguments: [429, 500, 501, 502, 503, 504, 505, 511, 520, 599]
    )
    func freshCache(status: Int) async throws {
        let server = try failing(.reply("\(status) X", "<html>sorry</html>"))
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("menu/list")
        let list = try await client.result("menu/list")
        #expect(try list.source() == "cache")
        let reason = try list.required("provenance").object().required("serverError").string()
        #expect(reason.contains("\(status)"), "\(reason)")
    }

    @Test(
        "with nothing cached, 429 and every 5xx are an error, never an empty list",
        arguments: [429, 500, 502, 503, 504, 511, 599]
    )
    func nothingCached(status: Int) async throws {
        let server = try failing(.reply("\(status) X", "{}"), afterRequests: 0)
        for method in ["salons/list", "appointments/list", "movies/list", "menu/list"] {
            // Each call has its own process, because failures would open the circuit breaker.
            let client = try Novablend(["--base-url", server.url])
            let failure = try await client.failure(method)
            #expect(failure.code == 1_004 && failure.name == "unavailable", "\(method)")
            #expect(failure.message.contains("\(status)"), "\(failure.message)")
        }
    }

    @Test("the error has the delay of Retry-After")
    func retryAfter() async throws {
        let busy = ScriptedServer.Response.reply("503 X\r\nRetry-After: 3600", "")
        let server = try failing(busy, afterRequests: 0)
        let client = try Novablend(["--base-url", server.url])
        let failure = try await client.failure("salons/list")
        #expect(try failure.data?.required("retryAfterSeconds").integer() == 3_600)
        #expect(try failure.data?.required("retryable").bool() == true)
    }

    @Test(
        "rejected credentials are errors of their own, and the cache is not used instead",
        arguments: [401, 403]
    )
    func credentials(status: Int) async throws {
        let server = try failing(.reply("\(status) X", ""))
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("salons/list")
        let failure = try await client.failure("salons/list")
        #expect(failure.code == (status == 401 ? 1_005 : 1_006), "\(failure.message)")
        #expect(failure.name == (status == 401 ? "notAuthenticated" : "notAllowed"))
    }

    @Test(
        "a web page in place of a list is reported as a captive portal",
        arguments: [
            "<!DOCTYPE html><html>Log in</html>", " \r\n<html>", "\u{FEFF}<?xml?>", "Welcome!", "",
        ]
    )
    func portal(page: String) async throws {
        let response = ScriptedServer.Response.reply("200 OK\r\nContent-Type: text/html", page)
        let server = try failing(response)
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("menu/list")
        #expect(try await client.result("menu/list").source() == "cache")
        let empty = try await client.failure("movies/list")
        #expect(empty.code == 1_004 && empty.message.contains("web page"), "\(empty.message)")
        #expect(empty.message.contains("sign in to the network"))
    }

    @Test("a web page in place of the slots makes the client compute them")
    func portalInsteadOfSlots() async throws {
        let salons = ZonedSalons.list(["UTC"])
        let server = try ScriptedServer { connection in
            connection.request.contains("/availability")
                ? .reply("200 OK", "<html>Log in</html>")
                : .reply("200 OK", salons.dropLast() + #","appointments":[]}"#)
        }
        let client = try Novablend(["--base-url", server.url])
        let range = #""start":"2030-01-01T09:00:00Z","end":"2030-01-01T10:00:00Z""#
        let slots = try await client.result(
            "salons/availability",
            #"{"salonId":"\#(ZonedSalons.id(0))",\#(range)}"#
        )
        #expect(try slots.required("source").string() == "computed")
    }

    @Test("a redirect to a login page is a captive portal, even without an HTML content type")
    func redirectedPortal() async throws {
        let login = try ScriptedServer { _ in .reply("200 OK", "<html>Log in</html>") }
        let response = ScriptedServer.Response.reply(
            "302 Found\r\nLocation: \(login.url)/login",
            ""
        )
        let server = try failing(response)
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("menu/list")
        #expect(try await client.result("menu/list").source() == "cache")
        #expect(try await client.failure("movies/list").code == 1_004)
    }

    @Test("JSON with an HTML content type is a list; other invalid data breaks the contract")
    func mislabeled() async throws {
        let html = "200 OK\r\nContent-Type: text/html"
        let list = try failing(.reply(html, #"{"items":[]}"#), afterRequests: 0)
        #expect(
            try await Novablend(["--base-url", list.url]).result("menu/list").source() == "server"
        )
        let broken = try failing(.reply(html, #"{"items":7}"#), afterRequests: 0)
        #expect(try await Novablend(["--base-url", broken.url]).failure("menu/list").code == 1_002)
        let text = try failing(.reply("200 OK", "garbage"), afterRequests: 0)
        #expect(try await Novablend(["--base-url", text.url]).failure("menu/list").code == 1_002)
    }

    @Test("no message contains the query values of a URL")
    func secretsInURLs() async throws {
        let server = try failing(.reply("404 X", "garbage"), afterRequests: 0)
        let client = try Novablend(["--menu-url", server.url + "/menu?key=hunter2"])
        let failure = try await client.failure("menu/list")
        #expect(!failure.message.contains("hunter2"), "\(failure.message)")
        #expect(failure.message.contains("/menu") && failure.message.contains("404"))
    }
}
