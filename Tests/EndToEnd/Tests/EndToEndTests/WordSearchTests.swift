import JSON
import Testing

@Suite("What is found by words", .throttled, .timeLimit(.minutes(10)))
struct WordSearchTests {
    private static let salons = [
        #""name":"Sol","location":"København","aliases":["Copenhagen","Kopenhagen"],"#
            + #""services":[{"id":"b","name":"Balayage","minutes":60}],"#
            + #""staff":[{"id":"ana","name":"Ana Berg"},{"id":"ben","name":"Ben"}]"#,
        #""name":"L’Atelier","location":"Malmö""#,
        #""name":"Jean-Louis","location":"Straße des 17. Juni","#
            + #""staff":[{"id":"x","name":"Ana Bø"}],"services":[{"id":"s","name":"\"Sol\"","minutes":5}]"#,
    ]

    private static let appointments = [
        (0, "a", "+49 30 1234567", "ana"), (0, "b", "0155501020", "ben"),
        (1, "c", "+49 30 ***1020", nil), (2, "d", "030 1234567", "x"),
    ].map { salon, id, phone, staff in
        let staff = staff.map { #","staffId":"\#($0)""# } ?? ""
        return #"{"id":"\#(id)","salonId":"\#(ZonedSalons.id(salon))","#
            + #""appointmentTime":"2030-01-07T12:00:00Z","phone":"\#(phone)"\#(staff)}"#
    }

    private func server() throws -> ScriptedServer {
        try ScriptedServer { connection in
            if connection.request.hasPrefix("GET /appointments") {
                let list = Self.appointments.joined(separator: ",")
                return .reply("200 OK", #"{"appointments":[\#(list)]}"#)
            }
            guard connection.request.hasPrefix("GET /salons ") else {
                return .reply("404 Not Found", "")
            }
            let salons = Self.salons.enumerated().map { index, members in
                #"{"id":"\#(ZonedSalons.id(index))",\#(members),"open_time":0,"close_time":0}"#
            }
            return .reply("200 OK", #"{"salons":[\#(salons.joined(separator: ","))]}"#)
        }
    }

    @Test(
        "salons are found in any spelling, and the result says where a name and a location lack it",
        arguments: [
            ("Copenhagen", "0", "alias Copenhagen"), ("KØBENHAVN", "0", ""), ("Kobenhavn", "0", ""),
            ("Koebenhavn", "0", ""), ("ko\u{308}benhavn", "0", ""), ("malmoe", "1", ""),
            ("latelier", "1", ""), ("l'atelier", "1", ""), ("jean louis", "2", ""),
            ("strasse, 17 juni", "2", ""),
            ("balayage kopenhagen", "0", "alias Kopenhagen|service Balayage"),
            ("sol", "02", "service \"Sol\""), ("ana", "02", "staff Ana Berg|staff Ana Bø"),
            ("ana boe", "2", "staff Ana Bø"), ("zzz", "", ""),
        ]
    )
    func salons(query: String, expected: String, matches: String) async throws {
        let server = try server()
        defer { withExtendedLifetime(server) {} }
        let client = try Novablend(["--base-url", server.url])
        for more in ["", #","fields":["name"]"#] {
            let found = try await client.result("salons/list", #"{"query":"\#(query)"\#(more)}"#)
            let ids = try found.required("salons").array().map { salon in
                try salon.object().required("id").string()
            }
            #expect(ids == expected.compactMap(\.wholeNumberValue).map(ZonedSalons.id))
            let texts = try found["matches"]?.array().map { match in
                let match = try match.object()
                return try "\(match.required("in").string()) \(match.required("text").string())"
            }
            #expect((texts ?? []).sorted().joined(separator: "|") == matches)
        }
    }

    @Test("a salon is named by an alias, but not by its services or staff")
    func reference() async throws {
        let server = try server()
        defer { withExtendedLifetime(server) {} }
        let client = try Novablend(["--base-url", server.url])
        let found = try await client.result("salons/get", #"{"id":"copenhagen"}"#)
        #expect(
            try found.required("salon").object().required("id").string() == ZonedSalons.id(0)
        )
        #expect(try await client.failure("salons/get", #"{"id":"balayage"}"#).code == -32_602)
    }

    @Test(
        "appointments are found by words of the salon, by staff, and by the last digits of the phone",
        arguments: [
            (#""salon":"copenhagen""#, "ab"), (#""salon":"sol""#, "ab"), (#""salon":"malmo""#, "c"),
            (#""salon":"\#(ZonedSalons.id(2))""#, "d"), (#""staffId":"ana""#, "ad"),
            (#""staffId":"ben""#, "b"), (#""staffId":"x""#, "d"), (#""staffId":"Ana Boe""#, "d"),
            (#""staffId":"zoe""#, ""), (#""phone":"4567""#, "ad"), (#""phone":"1020""#, "bc"),
            (#""phone":"+49 (30) 123 45-67""#, "ad"), (#""phone":"030 1234567""#, "ad"),
            (#""phone":"4567","salon":"sol""#, "a"), (#""phone":"1020","staffId":"ben""#, "b"),
        ]
    )
    func appointments(params: String, expected: String) async throws {
        let server = try server()
        defer { withExtendedLifetime(server) {} }
        let client = try Novablend(["--base-url", server.url])
        let list = try await client.result("appointments/list", "{\(params)}")
        let ids = try list.required("appointments").array().map { appointment in
            try appointment.object().required("id").string()
        }
        #expect(ids.joined() == expected)
        #expect(try list.required("total").integer() == expected.count)
    }

    @Test(
        "a filter that cannot be meant is an error with its parameter",
        arguments: [
            (#"{"phone":"567"}"#, "phone", "at least 4"),
            (#"{"phone":"Ana 1020"}"#, "phone", "digits"),
            (#"{"salon":"zzz"}"#, "salon", "matches no salon"),
        ]
    )
    func invalid(params: String, parameter: String, message: String) async throws {
        let server = try server()
        defer { withExtendedLifetime(server) {} }
        let client = try Novablend(["--base-url", server.url])
        let error = try await client.failure("appointments/list", params)
        #expect(error.code == -32_602 && error.message.contains(message), "\(error.message)")
        #expect(try error.data?.required("parameter").string() == parameter)
    }

    @Test("the commands have the same filters, and show where a salon was found")
    func commands() async throws {
        let server = try server()
        defer { withExtendedLifetime(server) {} }
        let cli = try CommandLineClient(["--base-url", server.url])
        let salons = try await cli.run("salons", "balayage")
        #expect(salons.line(0).contains("FOUND BY") && salons.line(1).contains("service Balayage"))
        let list = try await cli.run(
            "appointments",
            "--salon",
            "copenhagen",
            "--staff",
            "ana",
            "--phone",
            "4567"
        )
        #expect(list.code == 0 && list.lines.count == 2 && list.line(1).contains("+49 30 1234567"))
        #expect(try await cli.run("appointments", "--phone", "1").code == 64)
    }
}
