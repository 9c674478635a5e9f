import CommandLineKit
import Contract
import JSON
import Testing

@testable import NovaBlendCommands

@Suite("The details of a salon")
struct SalonDetailsTests {
    private static let salon = """
        {"id":"5a100000-0000-4000-8000-000000000001","name":"Sol","location":"Madrid",\
        "open_time":9,"close_time":18,"time_zone":"Europe/Madrid","slot_minutes":30,\
        "weekly":{"mon":[["09:00","12:30"],["14:00","18:00"]],\
        "tue":[["09:00","12:30"],["14:00","18:00"]],"sat":[["10:00","14:00"]]},\
        "exceptions":[{"from":"2026-12-28","to":"2027-01-06","closed":true},\
        {"date":"2026-12-25","closed":true}],\
        "services":[{"id":"color","name":"Color","minutes":90,"buffer_after":10,\
        "price":{"amount":4500,"currency":"EUR","text":"45.00 EUR"}},{"id":"cut","name":"Cut","minutes":45}],\
        "staff":[{"id":"ana","name":"Ana","services":["cut"]},\
        {"id":"ben","name":"Ben","weekly":{"sat":[["10:00","12:00"]]}}]}
        """

    private func report(_ salon: String) throws -> Report {
        SalonDetailsView.report(
            try SalonCodec.read(JSONDocument(parsing: Array(salon.utf8)).root)
        )
    }

    @Test("show weekly hours compactly, services with prices, and staff with their hours")
    func details() throws {
        let report = try report(Self.salon)
        #expect(
            report.lines() == [
                "Sol", "  place     Madrid",
                "  hours     Mon-Tue 09:00-12:30, 14:00-18:00", "            Sat 10:00-14:00",
                "  except    2026-12-25 closed", "            2026-12-28 to 2027-01-06 closed",
                "  zone      Europe/Madrid",
                "  starts    every 30 minutes",
                "  earliest  no limit stated", "  latest    no limit stated",
                "  id        5a100000-0000-4000-8000-000000000001", "",
                "SERVICE  MINUTES  BUFFERS   PRICE      ID",
                "Color    90       10 after  45.00 EUR  color",
                "Cut      45                            cut", "",
                "STAFF  SERVICES  HOURS            ID", "Ana    Cut                        ana",
                "Ben              Sat 10:00-12:00  ben",
            ]
        )
    }

    @Test("have a singular for one minute and one day")
    func singular() throws {
        let rules =
            #""slot_minutes":30,"lead_minutes":1,"furthest_days":1,"max_active_per_customer":1,"#
            + #""max_per_day_per_customer":1"#
        let salon = Self.salon.replacing(#""slot_minutes":30"#, with: rules)
        let lines = try report(salon).lines()
        for line in [
            "1 minute from now", "1 day from now",
            "limits    1 active appointment for each customer",
            "1 booking in 24 hours for each customer",
        ] {
            #expect(lines.contains { $0.hasSuffix("  " + line) }, "\(lines)")
        }
    }

    @Test(
        "contain the service or staff member that an id or part of a name finds",
        arguments: [
            ("a1", "a1"), ("ana", "a1"), ("ANA M", "a2"), ("maria", "a2"), ("bén", "Ana"),
            ("Ana", "Ana"),
        ]
    )
    func found(typed: String, id: String) throws {
        let found = try SalonMember.find(typed, among: Self.members, "staff member", of: "Sol")
        #expect(found.id == id)
    }

    @Test(
        "list the candidates for a name that none or several match",
        arguments: [
            ("an", "2 staff members of Sol match an", ["a1  Ana", "a2  Ana María"]),
            ("eve", "Sol has no staff member eve", ["a1  Ana", "a2  Ana María", "Ana  Ben"]),
        ]
    )
    func ambiguous(typed: String, message: String, candidates: [String]) throws {
        let error = commandError {
            _ = try SalonMember.find(typed, among: Self.members, "staff member", of: "Sol")
        }
        #expect(error?.message == message && error?.exitCode == .usage)
        #expect(error?.suggestions == candidates)
    }

    @Test(
        "contain the one of several names that differ in accents or case that is written in the same way",
        arguments: [
            ("Zoe", "1"), ("Zo\u{EB}", "2"), ("Zoe\u{308}", "2"), (" zoe ", "1"), ("ZO\u{CB}", "2"),
        ]
    )
    func accents(typed: String, id: String) throws {
        let members = [("1", "Zoe"), ("2", "Zo\u{EB}"), ("3", "Zoe B")]
            .map { SalonMember(id: $0, name: $1) }
        #expect(
            try SalonMember.find(typed, among: members, "staff member", of: "Sol").id == id
        )
    }

    /// The id of Ben is the name of someone else.
    private static let members = [
        SalonMember(id: "a1", name: "Ana"), SalonMember(id: "a2", name: "Ana María"),
        SalonMember(id: "Ana", name: "Ben"),
    ]
}
