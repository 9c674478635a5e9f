import JSON
import Testing

@Suite("The list of salons", .throttled, .timeLimit(.minutes(10)))
struct SalonListTests {
    private func names(_ list: JSONObject) throws -> [String] {
        try list.required("salons").array().map { try $0.object().required("name").string() }
    }

    @Test(
        "a query ignores case and accents",
        arguments: [
            ("peluqueria", "Peluquería Sol"), ("PELUQUERÍA", "Peluquería Sol"),
            ("pelukeria", nil), ("strasse", "Scherenschnitt"), ("kobenhavn", "Æther & Øl"),
            ("AETHER & OL", "Æther & Øl"), ("Peluqueri\\u0301a", "Peluquería Sol"),
        ]
    )
    func query(text: String, name: String?) async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let list = try await client.result("salons/list", #"{"query":"\#(text)"}"#)
        #expect(try names(list) == [name].compactMap(\.self))
        #expect(try list.required("total").integer() == (name == nil ? 0 : 1))
    }

    @Test("the opening hours are also listed as text, whatever the server sends as text")
    func hours() async throws {
        let server = try ListServer()
        func salon(_ number: Int, _ name: String, _ times: (String, String), _ rest: String)
            -> String
        {
            #"{"id":"\#(ZonedSalons.id(number))","name":"\#(name)","location":"l","#
                + #""open_time":\#(times.0),"close_time":\#(times.1)\#(rest)}"#
        }
        let salons = [
            salon(0, "Day", ("9.3", "22.30"), ""), salon(1, "Night", ("18", "2"), #","hours":"x""#),
            salon(2, "Always", ("8", "8"), #","hours":{"a":[]},"time_zone":"Europe/Paris""#),
        ]
        server.list(salons: #"{"salons":[\#(salons.joined(separator: ","))]}"#)
        let client = try Novablend(["--base-url", server.url])
        let texts = ["09:30-22:30", "18:00-02:00", "00:00-24:00"]
        for params in ["{}", #"{"limit":5,"query":"l"}"#, #"{"fields":["hours"]}"#] {
            let list = try await client.result("salons/list", params)
            #expect(try hours(in: list) == texts, "\(params)")
            let call = #"{"name":"salons_list","arguments":\#(params)}"#
            let result = try await client.result("tools/call", call)
            #expect(try hours(in: result.required("structuredContent").object()) == texts)
        }
        let night = try await client.result("salons/get", #"{"id":"Night"}"#)
        #expect(try night.required("salon").object().required("hours").string() == texts[1])
    }

    @Test("a list of more than 100 salons has the hours as text only if they are selected")
    func hoursOfManySalons() async throws {
        let server = try ListServer()
        let client = try Novablend(["--base-url", server.url])
        for (count, hasHours) in [(100, true), (101, false)] {
            let salons = (0..<count).map { number in
                #"{"id":"\#(ZonedSalons.id(number))","name":"n","location":"l","#
                    + #""open_time":9.3,"close_time":18}"#
            }
            server.list(salons: #"{"salons":[\#(salons.joined(separator: ","))]}"#)
            for params in ["{}", #"{"query":"n"}"#] {
                let list = try await client.result("salons/list", params)
                #expect(list.text.contains(#""hours":"09:30-18:00""#) == hasHours, "\(params)")
            }
            let selected = try await client.result("salons/list", #"{"fields":["hours"]}"#)
            #expect(try hours(in: selected) == Array(repeating: "09:30-18:00", count: count))
        }
    }

    private func hours(in list: JSONObject) throws -> [String] {
        try list.required("salons").array().map { try $0.object().required("hours").string() }
    }

    @Test(
        "a salon that is added or removed between two pages neither repeats nor hides another one"
    )
    func pages() async throws {
        let server = try ListServer()
        let client = try Novablend(["--base-url", server.url])
        let zones = ["Europe/Berlin", "Europe/Paris", "Europe/Rome", "Europe/Oslo"]
        server.list(zones: zones)
        let first = try await client.result("salons/list", #"{"limit":2}"#)
        #expect(try names(first) == Array(zones.prefix(2)))
        let cursor = try first.required("nextCursor").string()
        let next = #"{"limit":2,"cursor":"\#(cursor)"}"#
        let salons = try JSONDocument(parsing: Array(ZonedSalons.list(zones).utf8)).root.object()
            .required("salons").array().map { value in JSONFragment { $0.value(value) } }
        func list(_ order: [Int]) {
            let texts = order.map { salons[$0].description }
            server.list(salons: #"{"salons":[\#(texts.joined(separator: ","))]}"#)
        }
        list([1, 2, 3])
        let moved = try await client.result("salons/list", next)
        #expect(try names(moved) == Array(zones.suffix(2)) && moved["nextCursor"] == nil)
        list([3, 0, 1, 2])
        #expect(try await names(client.result("salons/list", next)) == ["Europe/Rome"])
        list([0, 2, 3])
        let failure = try await client.failure("salons/list", next)
        #expect(failure.code == -32_602 && failure.message.contains("has changed"))
        #expect(try failure.data?.required("parameter").string() == "cursor")
    }
}
