import Contract
import Domain
import Testing

@Suite("The rules for the salons of a backend")
struct SalonRulesTests {
    private func problems(_ members: String, hours: String = "9.30,22.30") throws -> [String] {
        let times = hours.split(separator: ",")
        let text = """
            {"id": "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01", "name": "n", "location": "l",
             "open_time": \(times[0]), "close_time": \(times[1]), \(members)}
            """
        let salon = try SalonCodec.decode(Array(text.utf8))
        return SalonRules.problems(of: salon).map { "\($0.path) \($0.reason)" }
    }

    @Test("accept a salon with times in multiples of five minutes, whose staff has its services")
    func valid() throws {
        let found = try problems(
            """
            "slot_minutes": 5, "lead_minutes": 7,
            "weekly": {"mon": [["00:05", "23:55"]], "wed": [["00:00", "24:00"]]},
            "exceptions": [{"date": "2026-12-24", "closed": true},
                           {"date": "2026-12-25", "open_time": 9.05, "close_time": 10}],
            "services": [{"id": "a", "name": "n", "minutes": 5, "buffer_after": 10}],
            "staff": [{"id": "x", "name": "n", "services": ["a"]}, {"id": "y", "name": "n"}]
            """
        )
        #expect(found == [])
        #expect(try problems(#""phone": null"#) == [])
    }

    @Test("reject aliases that are blank, too long, repeated, or too many, with their paths")
    func aliases() throws {
        let longest = String(repeating: "é", count: 100)
        #expect(try problems(#""aliases": ["Copenhagen", "\#(longest)"]"#) == [])
        #expect(
            try problems(#""aliases": [" ", "a", "", "\#(longest)x", "a"]"#) == [
                "aliases[0] must not be blank", "aliases[2] must not be blank",
                "aliases[3] must have at most 100 characters",
                "aliases[4] must not be that of aliases[1]",
            ]
        )
        let many = (1...51).map { "\"\($0)\"" }.joined(separator: ",")
        #expect(
            try problems(#""aliases": [\#(many)]"#) == ["aliases must have at most 50 elements"]
        )
    }

    @Test(
        "allow as many seats as fit in 2,000 units of five minutes for the longest appointment",
        arguments: [
            // Half an hour without a grid can touch seven units.
            (285, 286, ""), (1_000, nil, #""slot_minutes": 5"#),
            (200, 201, #""slot_minutes": 45"#),
            // 29 units: 68 * 29 = 1,972, and 69 * 29 = 2,001.
            (68, 69, #""services": [{"id": "a", "name": "n", "minutes": 140}]"#),
            (
                68, 69,
                """
                "services": [{"id": "a", "name": "n", "minutes": 60, "buffer_before": 35,
                              "buffer_after": 45}, {"id": "b", "name": "n", "minutes": 135}]
                """
            ),
            (
                2, 3,
                """
                "services": [{"id": "a", "name": "n", "minutes": 1440, "buffer_before": 1440,
                              "buffer_after": 1440}]
                """
            ),
            // Without a service, an appointment takes the time between two starts.
            (6, 7, #""slot_minutes": 1440, "services": [{"id": "a", "name": "n", "minutes": 5}]"#),
        ] as [(Int, Int?, String)]
    )
    func seats(most: Int, tooMany: Int?, members: String) throws {
        let rest = members.isEmpty ? "" : ", \(members)"
        #expect(try problems("\"seats\": \(most)\(rest)") == [])
        guard let tooMany else { return }
        let found = try problems("\"seats\": \(tooMany)\(rest)")
        #expect(found.count == 1 && found[0].hasPrefix("seats must be at most \(most), because"))
    }

    @Test("do not count the seats of a salon with staff, which no one can book")
    func staff() throws {
        let staff = #""seats": 1000, "staff": [{"id": "x", "name": "n"}]"#
        #expect(try problems(staff) == [])
    }

    @Test("find every value that is not a multiple, and every unknown service")
    func invalid() throws {
        let found = try problems(
            """
            "slot_minutes": 6,
            "exceptions": [{"date": "2026-12-24", "open_time": 9, "close_time": 9.01},
                           {"date": "2026-12-25", "intervals": [["09:00", "10:00"], ["10:04", "11:00"]]}],
            "weekly": {"mon": [["09:01", "10:00"]], "sun": [["09:00", "10:00"], ["11:00", "11:59"]]},
            "services": [{"id": "a", "name": "n", "minutes": 1, "buffer_before": 4, "buffer_after": 6}],
            "staff": [{"id": "x", "name": "n", "services": ["a", "b", "A"],
                       "weekly": {"tue": [["09:00", "10:01"]]},
                       "exceptions": [{"date": "2026-12-24", "open_time": 9.01, "close_time": 10}]}]
            """,
            hours: "9.01,23.59"
        )
        #expect(
            found == [
                "open_time must be a multiple of 5 minutes",
                "close_time must be a multiple of 5 minutes",
                "slot_minutes must be a multiple of 5 minutes",
                "exceptions[0] must have hours in multiples of 5 minutes",
                "exceptions[1] must have hours in multiples of 5 minutes",
                "weekly.mon[0][0] must be a multiple of 5 minutes",
                "weekly.sun[1][1] must be a multiple of 5 minutes",
                "services[0].minutes must be a multiple of 5 minutes",
                "services[0].buffer_before must be a multiple of 5 minutes",
                "services[0].buffer_after must be a multiple of 5 minutes",
                "staff[0].services[1] must be the id of a service of the salon",
                "staff[0].services[2] must be the id of a service of the salon",
                "staff[0].weekly.tue[0][1] must be a multiple of 5 minutes",
                "staff[0].exceptions[0] must have hours in multiples of 5 minutes",
            ]
        )
    }
}
