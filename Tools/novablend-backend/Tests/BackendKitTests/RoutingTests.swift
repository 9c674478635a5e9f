import BackendKit
import Domain
import Testing

@Suite("Paths and methods", .timeLimit(.minutes(10)))
struct RoutingTests {
    private let server: AlwaysOpenBackend
    private let salon = "/salons/\(AlwaysOpenBackend.id)"

    init() throws { server = try AlwaysOpenBackend() }

    private func send(_ line: String, _ headers: String..., body: String = "") throws -> Response {
        try #require(exchange(server.port, line, headers: headers, body: body))
    }

    @Test("a path that is not exactly a route's is 404")
    func paths() throws {
        for path in [
            "/", "//", "/salons/", "//salons", "/salons//", "/Salons", "/salons%2F",
            "\(salon)/", "\(salon)//availability", "\(salon)/none", "/appointments/",
            "/appointments/a%2Fb", "/idempotency-keys", "/openapi", "/openapi.json/",
        ] {
            let response = try send("GET \(path)")
            #expect(response.status == 404, "\(path)")
            #expect(try response.errorBody().name == "notFound", "\(path)")
        }
    }

    @Test("a slash counts as a separator even if it is percent-encoded")
    func encodedSlash() throws {
        #expect(try send("GET /salons%2F\(AlwaysOpenBackend.id)").status == 200)
    }

    @Test(
        "a method that the path does not support is 405 with the supported ones",
        arguments: [
            ("/salons", "POST", "GET, HEAD, OPTIONS"),
            ("/salons/x", "PATCH", "GET, HEAD, PUT, DELETE, OPTIONS"),
            ("/appointments", "PUT", "GET, HEAD, POST, OPTIONS"),
            ("/appointments/x", "POST", "GET, HEAD, PATCH, DELETE, OPTIONS"),
            ("/idempotency-keys/x", "GET", "DELETE, OPTIONS"),
            ("/health", "DELETE", "GET, HEAD, OPTIONS"),
            ("/feed", "get", "GET, HEAD, OPTIONS"),
        ]
    )
    func methods(path: String, method: String, allow: String) throws {
        let response = try send("\(method) \(path)")
        #expect(response.status == 405 && response.header("allow") == allow)
        #expect(try response.errorBody().name == "methodNotAllowed")
        #expect(response.header("cache-control") == "no-store")
        let options = try send("OPTIONS \(path)")
        #expect(options.status == 204 && options.header("allow") == allow && options.body.isEmpty)
        #expect(options.header("cache-control") == "no-store")
    }

    @Test("the response to HEAD has the header fields of GET and no body")
    func head() throws {
        for path in ["/salons", salon, "/appointments", "/openapi.json", "/images/ink.png"] {
            let get = try send("GET \(path)")
            let head = try send("HEAD \(path)")
            #expect(head.status == 200 && head.body.isEmpty, "\(path)")
            for field in ["etag", "content-type", "content-length", "cache-control"] {
                #expect(head.header(field) == get.header(field), "\(path) \(field)")
            }
        }
        #expect(try send("HEAD /salons/x").status == 404)
    }

    @Test("unknown query parameters are ignored")
    func unknownParameters() throws {
        for path in ["/salons", "/appointments", "/feed", "/health", "\(salon)"] {
            #expect(try send("GET \(path)?_=123&unknown").status == 200, "\(path)")
        }
    }

    @Test("a browser cannot change data for a page of a different site")
    func foreignOrigin() throws {
        let body = AlwaysOpenBackend.booking(try AlwaysOpenBackend.time(60))
        for origin in [
            "null", "http://evil.example", "http://localhost.evil.example", "http://localhost:81",
            "x",
        ] {
            let response = try send(
                "POST /appointments",
                "Host: localhost",
                "Origin: \(origin)",
                body: body
            )
            #expect(response.status == 403, "\(origin)")
            #expect(try response.errorBody().name == "foreignOrigin")
            #expect(try send("GET /salons", "Host: localhost", "Origin: \(origin)").status == 200)
        }
        #expect(try server.appointments().isEmpty)
        // A proxy may add TLS.
        for origin in ["http://localhost", "https://LocalHost"] {
            let time = try AlwaysOpenBackend.time(origin.count * 30)
            let body = AlwaysOpenBackend.booking(time)
            let fields = ["Host: localhost", "Origin: \(origin)"]
            let response = exchange(
                server.port,
                "POST /appointments",
                headers: fields,
                body: body
            )
            #expect(response?.status == 201)
        }
    }

    @Test(
        "a body must be JSON",
        arguments: [
            ("application/json", 201), ("Application/JSON; charset=utf-8", 201),
            ("application/json ;x", 201), ("text/plain", 415), ("application/jsonx", 415),
            ("application/x-www-form-urlencoded", 415), ("", 415), ("json", 415),
        ]
    )
    func mediaType(type: String, status: Int) throws {
        let body = AlwaysOpenBackend.booking(try AlwaysOpenBackend.time(60))
        let response = try send("POST /appointments", "Content-Type: \(type)", body: body)
        #expect(response.status == status)
    }

    @Test("a new appointment has a Location, which returns it")
    func location() throws {
        let booked = try #require(server.post(try AlwaysOpenBackend.time(60), key: "k"))
        let location = try #require(booked.header("location"))
        // `Location` is relative to the URL of the request, so a proxy may add a path prefix.
        #expect(location == "appointments/\(try booked.appointment().id ?? "")")
        #expect(try send("GET /\(location)").body == booked.body)
        let repeated = try #require(server.post(try AlwaysOpenBackend.time(60), key: "k"))
        #expect(repeated.header("location") == location && repeated.status == 201)
    }
}
