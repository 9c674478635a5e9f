import BackendKit
import Testing

@Suite("The metrics of the backend", .timeLimit(.minutes(10)))
struct MetricsTests {
    @Test(
        "are served on loopback addresses",
        arguments: ["127.0.0.1:0", "127.1.2.3:65535", "[::1]:9464", "localhost:9464"]
    )
    func valid(text: String) { #expect(MetricsAddress(text) != nil) }

    @Test(
        "are not served on other addresses",
        arguments: [
            "0.0.0.0:1", "128.0.0.1:1", "126.255.255.255:1", "[::]:1", "[::2]:1", "::1:9464",
            "example.com:1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
            "127.0.0.1:+1", ":1", "",
        ]
    )
    func invalid(text: String) { #expect(MetricsAddress(text) == nil) }

    @Test("are served by the backend until it stops")
    func served() throws {
        let address = try #require(MetricsAddress("127.0.0.1:0"))
        let backend = try Backend(database: ":memory:", metrics: address)
        let port = try #require(backend.metricsPort)
        #expect(port != backend.port)
        #expect(exchange(backend.port, "GET /salons")?.status == 200)
        let text = try #require(exchange(port, "GET /metrics")?.body)
        let requests = "novablend_http_requests_total"
        #expect(text.contains(#"\#(requests){route="listSalons",method="GET",status="2xx"} 1\#n"#))
        #expect(text.contains(#"\#(requests){route="listSalons",method="GET",status="5xx"} 0\#n"#))
        backend.stop()
        #expect(exchange(port, "GET /metrics") == nil)
    }

    @Test("are not shown to a web page whose host refers to this machine")
    func rebinding() throws {
        let address = try #require(MetricsAddress("127.0.0.1:0"))
        let backend = try Backend(database: ":memory:", metrics: address)
        defer { backend.stop() }
        let port = try #require(backend.metricsPort)
        let response = exchange(port, "GET /metrics", headers: ["Host: evil.example:\(port)"])
        #expect(response?.status == 403)
        #expect(try response?.errorBody().name == "foreignHost")
        #expect(exchange(port, "GET /metrics", headers: ["Host: [::1]:\(port)"])?.status == 200)
    }

    @Test("and the errors of their port must not be stored by caches")
    func caching() throws {
        let address = try #require(MetricsAddress("127.0.0.1:0"))
        let backend = try Backend(database: ":memory:", metrics: address)
        defer { backend.stop() }
        let port = try #require(backend.metricsPort)
        for (target, host, status) in [
            ("GET /metrics", "localhost", 200), ("GET /metrics", "evil.example", 403),
            ("GET /none", "localhost", 404), ("POST /metrics", "localhost", 405),
        ] {
            let response = exchange(port, target, headers: ["Host: \(host)"])
            #expect(response?.status == status, "\(target)")
            #expect(response?.header("cache-control") == "no-store", "\(target)")
        }
    }

    @Test("are off by default, and prevent the start if their port is in use")
    func address() throws {
        let backend = try Backend(database: ":memory:")
        defer { backend.stop() }
        #expect(backend.metricsPort == nil)
        let used = try #require(MetricsAddress("127.0.0.1:\(backend.port)"))
        #expect(throws: Backend.StartFailure.self) {
            try Backend(database: ":memory:", metrics: used)
        }
    }
}
