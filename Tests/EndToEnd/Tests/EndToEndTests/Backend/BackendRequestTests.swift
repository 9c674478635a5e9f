import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite(
    "Requests that a proxy, a browser, or an attacker sends",
    .throttled,
    .timeLimit(.minutes(10))
)
struct BackendRequestTests {
    /// Requests that two servers could read differently, each followed by a second one.
    private static let ambiguous = [
        "POST /appointments HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /appointments HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 37\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET /health HTTP/1.1\r\n\r\n",
        "GET /appointments/a HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\0b\r\n\r\n",
    ]

    @Test("an ambiguous request is rejected, and ends its connection", arguments: ambiguous)
    func smuggling(request: String) async throws {
        let backend = try await BackendProcess()
        let port = backend.port.number
        let (response, next, isClosed) = try #require(
            await onThread { () -> (ReceivedResponse?, ReceivedResponse?, Bool)? in
                guard let connection = try? TCPConnection(port: port) else { return nil }
                connection.send(request + HTTPRequest.get("/health").text)
                return (connection.response(), connection.response(), connection.isClosedByServer())
            }
        )
        #expect(response?.status == 400, "\(response?.head ?? "closed")")
        #expect(next == nil && isClosed)
    }

    @Test("a path with NUL is rejected")
    func nulInPath() async throws {
        let backend = try await BackendProcess()
        #expect(try await backend.get("/health%00/x").status == 400)
    }

    @Test("a page of a different origin cannot book with a form")
    func foreignOrigin() async throws {
        let backend = try await BackendProcess()
        let body = HTTPRequest.bookingBody(0)
        let head = "POST /appointments HTTP/1.1\r\nHost: localhost\r\n"
        let fields = "Origin: http://other.example\r\nContent-Type: text/plain\r\n"
        let length = "Content-Length: \(body.utf8.count)\r\n\r\n"
        let request = HTTPRequest(text: head + fields + length + body)
        let response = try await backend.response(to: request)
        #expect((400..<500).contains(response.status), "\(response.head)")
        #expect(try await backend.appointments().isEmpty)
    }

    @Test("a booking returns the location of the appointment")
    func location() async throws {
        let backend = try await BackendProcess()
        let booked = try await backend.response(to: .booking(0))
        let location = try #require(booked.field("Location"), "\(booked.head)")
        let target = URL(string: location, relativeTo: URL(string: backend.url + "/appointments"))
        let shown = try await backend.get(try #require(target).path)
        #expect(shown.status == 200 && shown.body == booked.body)
    }

    @Test(
        "If-Match with several versions matches if one of them is current",
        arguments: [
            (#""7", "1""#, 200), ("\"7\",\t\"1\"", 200), (#""7", "11""#, 412), (#"W/"1""#, 412),
            (#""7,"1","2""#, 412),
        ]
    )
    func severalVersions(versions: String, status: Int) async throws {
        let backend = try await BackendProcess()
        let booked = try await backend.response(to: .booking(0))
        let id = try ListedAppointment(booked.object()).id
        let fields = "If-Match: \(versions)\r\n"
        let request = HTTPRequest.json("DELETE", "/appointments/\(id)", "", fields: fields)
        let response = try await backend.response(to: request)
        #expect(response.status == status, "\(response.text)")
    }

    @Test("images are below the public URL")
    func publicURL() async throws {
        let url = "https://example.com/salons"
        let backend = try await BackendProcess(["--public-url", url])
        let feed = try await backend.get("/feed").text.replacing("\\/", with: "/")
        #expect(feed.contains("\"\(url)/images/"), "\(feed)")
    }
}
