import Domain
import DomainTestSupport
import Networking
import NovaBlendAccounts
import Testing

@testable import NovaBlendAdapters

@Suite("Whether a server states that it honors idempotency keys", .timeLimit(.minutes(10)))
struct KeySupportTests {
    private static let key = #"{"name":"idempotency-key","in":"header"}"#

    private static func document(_ path: String, _ item: String, _ rest: String = "") -> String {
        #"{"openapi":"3.1.1","paths":{"/other":{},"\#(path)":\#(item)}\#(rest)}"#
    }

    private static func post(_ parameter: String) -> String {
        #"{"post":{"parameters":[{"name":"a","in":"query"},\#(parameter)]}}"#
    }

    @Test(
        "only a header of the operation that books counts",
        arguments: [
            (document("/appointments", post(key)), true),
            (document("/v1/appointments", post(key)), true),
            (document("/appointments", #"{"parameters":[\#(key)],"post":{}}"#), true),
            (
                document(
                    "/appointments",
                    post(##"{"$ref":"#/components/parameters/k"}"##),
                    #","components":{"parameters":{"k":\#(key)}}"#
                ), true
            ),
            (document("/appointments", post(##"{"$ref":"#/components/parameters/k"}"##)), false),
            (document("/appointments", post(#"{"name":"Idempotency-Key","in":"query"}"#)), false),
            (document("/appointments", post(#"{"name":"X-Key","in":"header"}"#)), false),
            (document("/appointments", #"{"parameters":[\#(key)],"get":{}}"#), false),
            (document("/appointments", #"{"get":{"parameters":[\#(key)]},"post":{}}"#), false),
            (document("/holds", post(key)), false), (document("/", post(key)), false),
            ("{}", false), ("<html>", false), (#"{"paths":7}"#, false),
        ]
    )
    func documents(document: String, isStated: Bool) {
        let bytes = Array(document.utf8)
        #expect(KeySupport.isStated(in: bytes, at: "/v1/appointments") == isStated)
    }

    private func api(_ server: PageServer) -> HTTPBookingAPI {
        let client = CurlHTTPClient()
        return HTTPBookingAPI(
            endpoints: Endpoints(base: server.origin + "/v1"),
            sender: client,
            reader: client,
            limits: ListLimits(maximumBytes: 10_000),
            credential: "none",
            counter: InMemoryChangeCounter()
        )
    }

    @Test("the document is next to the list of appointments, and a yes is remembered")
    func stated() async throws {
        let document = Self.document("/v1/appointments", Self.post(Self.key))
        let server = try PageServer { _, _ in .init(body: document) }
        let api = api(server)
        for _ in 1...2 { #expect(await api.statesKeySupport()) }
        #expect(server.targets == ["/v1/openapi.json"])
    }

    @Test("any other answer means that it is not known", arguments: [204, 301, 401, 404, 500])
    func notStated(status: Int) async throws {
        let document = Self.document("/v1/appointments", Self.post(Self.key))
        let server = try PageServer { _, _ in .init(status: status, body: document) }
        #expect(await !api(server).statesKeySupport())
    }
}
