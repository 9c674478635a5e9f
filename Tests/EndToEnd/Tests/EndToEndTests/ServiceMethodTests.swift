import JSON
import Testing

@Suite("Services and staff of a salon", .throttled, .timeLimit(.minutes(10)))
struct ServiceMethodTests {
    private func texts(_ array: JSONValue?) throws -> [String] {
        try array?.array().map { try $0.string() } ?? []
    }

    private func elements(_ object: JSONObject, _ key: StaticString) throws -> [JSONObject] {
        try object.required(key).array().map { try $0.object() }
    }

    @Test("services have their prices as text and the staff who offer them")
    func services() async throws {
        let server = try StaffedSalon.server()
        let client = try Novablend(["--base-url", server.url])
        let result = try await client.result("services/list", #"{"salonId":"Nova"}"#)
        let services = try elements(result, "services")
        #expect(try services.map { try $0.required("id").string() } == ["cut", "color"])
        let prices = try services.map {
            try $0.required("price").object().required("text").string()
        }
        #expect(prices == ["45.00 EUR", "9000 JPY"])
        #expect(try services.map { try texts($0["staffIds"]) } == [["ana", "ben"], ["ana"]])
        #expect(try result.source() == "server")
        let bens = try await client.result("services/list", #"{"salonId":"Nova","staffId":"ben"}"#)
        #expect(try elements(bens, "services").count == 1)
    }

    @Test("staff have their services and hours, and can be selected by service")
    func staff() async throws {
        let server = try StaffedSalon.server()
        let client = try Novablend(["--base-url", server.url])
        let result = try await client.result("staff/list", #"{"salonId":"\#(Sample.salon)"}"#)
        let staff = try elements(result, "staff")
        #expect(try staff.map { try texts($0["services"]) } == [["cut", "color"], ["cut"]])
        #expect(try staff.map { try $0.required("hours").string() }.first == "Mon-Sun 00:00-24:00")
        let call = #"{"salonId":"Nova","serviceId":"color"}"#
        let colorists = try elements(try await client.result("staff/list", call), "staff")
        #expect(try colorists.map { try $0.required("name").string() } == ["Ana"])
    }

    @Test("an unknown id is an invalid parameter that names the known ids")
    func unknown() async throws {
        let server = try StaffedSalon.server()
        let client = try Novablend(["--base-url", server.url])
        let time = #""appointmentTime":"2030-01-07T12:00Z","phone":"12345""#
        let range = #""start":"2030-01-07","end":"2030-01-07""#
        let calls = [
            ("services/list", #""staffId":"eve""#, "staffId", "ana, ben"),
            ("staff/list", #""serviceId":"shave""#, "serviceId", "cut, color"),
            ("salons/availability", #"\#(range),"serviceId":"shave""#, "serviceId", "cut, color"),
            ("appointments/book", #"\#(time),"staffId":"eve""#, "staffId", "ana, ben"),
            ("appointments/hold", #"\#(time),"serviceId":"shave""#, "serviceId", "cut, color"),
            ("appointments/book", #"\#(time),"seats":2"#, "seats", "must be 1"),
            ("appointments/book", #"\#(time),"seats":0"#, "seats", "from 1 to 1000"),
            ("appointments/book", #"\#(time),"serviceId":"a b""#, "serviceId", "visible ASCII"),
        ]
        for (method, members, parameter, known) in calls {
            let params = #"{"salonId":"\#(Sample.salon)",\#(members)}"#
            let error = try await client.failure(method, params)
            #expect(error.code == -32_602, "\(method) \(error)")
            #expect(try error.data?.required("parameter").string() == parameter, "\(error)")
            #expect(error.message.contains(known), "\(error.message)")
        }
        let offered = #"{"salonId":"Nova",\#(time),"serviceId":"color","staffId":"ben"}"#
        let error = try await client.failure("appointments/book", offered)
        #expect(error.message.contains("Ben, who does not offer Color"))
        #expect(server.requests { $0.method == "POST" }.isEmpty)
    }

    @Test("salons show prices and weekly hours as text, and can be put back unchanged")
    func salon() async throws {
        let server = try StaffedSalon.server()
        let client = try Novablend(["--base-url", server.url])
        let found = try await client.result("salons/get", #"{"id":"Nova"}"#)
        let salon = try found.required("salon").object()
        #expect(try salon.required("hours").string() == "Mon-Sun 00:00-24:00")
        let put = try await client.result("salons/put", #"{"salon":\#(salon.text)}"#)
        #expect(try put.required("outcome").string() == "unchanged")
    }

    @Test("free times have counts if several staff members could be free, and explain says who is")
    func availability() async throws {
        let time = "2030-01-07T12:"
        let slots = #"""
            {"slots":[{"start":"\#(time)00:00+0000","end":"\#(time)30:00+0000","available":true,\#
            "free":2},{"start":"\#(time)30:00+0000","end":"2030-01-07T13:00:00+0000",\#
            "available":true,"free":1,"staff":[{"id":"ana","free":true},\#
            {"id":"ben","free":false,"rule":"taken"}]}]}
            """#
        let server = try StaffedSalon.server { request, _ in
            request.path.hasSuffix("/availability") ? .reply(200, slots) : nil
        }
        let client = try Novablend(["--base-url", server.url])
        let range = #""salonId":"Nova","start":"2030-01-07T12:00Z","end":"2030-01-07T13:00Z""#
        let call = #"{\#(range),"serviceId":"cut","explain":"2030-01-07T12:30Z"}"#
        let result = try await client.result("salons/availability", call)
        #expect(try result.required("serviceMinutes").integer() == 30)
        let day = try #require(try elements(result, "days").first)
        #expect(try texts(day["free"]) == ["12:00", "12:30"])
        #expect(try day.required("freeCounts").array().map { try $0.integer() } == [2, 1])
        let staff = try elements(try result.required("explanation").object(), "staff")
        #expect(try staff.map { try $0.required("free").bool() } == [true, false])
        #expect(try staff[1].required("reason").string() == "Ben is already booked at that time")
        let query = try #require(server.requests { $0.target.contains("explain=true") }.first)
        #expect(query.target.contains("&serviceId=cut&"))
        let only = try await client.result(
            "salons/availability",
            #"{\#(range),"serviceId":"cut","staffId":"ana"}"#
        )
        #expect(try elements(only, "days").first?["freeCounts"] == nil)
    }
}
