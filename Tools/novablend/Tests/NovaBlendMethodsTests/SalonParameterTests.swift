import Domain
import JSON
import JSONRPC
import Testing

@testable import NovaBlendMethods

@Suite("The parameter with all members of a salon")
struct SalonParameterTests {
    private static let id = "5a100000-0000-4000-8000-000000000001"
    private static let seed =
        #""id":"\#(id)","name":"n","location":"l","open_time":9.3,"close_time":18"#
    private static func services(_ members: String) -> String {
        #""services":[{"id":"cut","name":"Cut","minutes":30,\#(members)}]"#
    }
    private let method = Method(
        "salons/put",
        "",
        parameters: [SalonParameter.parameter],
        result: .init("r", "")
    ) { _ throws(RPCError) in .null }

    private func read(_ salon: String) throws -> Salon {
        let text = #"[{"params":{"salon":\#(salon)}}]"#
        let message = try JSONDocument(parsing: Array(text.utf8)).root.array().first { _ in true }
        return try SalonParameter.read(try Params(message?.object()["params"], for: method))
    }

    private func error(of salon: String) -> RPCError? {
        do {
            _ = try read(salon)
            return nil
        } catch {
            return error as? RPCError
        }
    }

    @Test("is read with every member of a result, and null means absent")
    func complete() throws {
        let salon = try read(
            """
            {\(Self.seed),"phone":"1","hours":"09:30-18:00","slot_minutes":45,"version":7,
             "time_zone":"Europe/Paris","exceptions":[{"date":"2026-12-24","closed":true}],
             "lead_minutes":5,"furthest_days":null}
            """
        )
        #expect(salon.version == 7 && salon.slotMinutes == 45 && salon.exceptions.count == 1)
        #expect(salon.furthestDays == nil && salon.phone == "1")
        #expect(try read("{\(Self.seed),\"hours\":null}").hours == salon.hours)
    }

    @Test(
        "is rejected with the path of an invalid, missing, or unknown member",
        arguments: [
            ("7", #""salon" must be an object"#),
            ("{}", #""salon" must be a salon with id, name, location, open_time, close_time;"#),
            (
                #"{"id":"x","name":"n","location":"l","open_time":9,"close_time":18}"#,
                #""salon.id" must be a UUID"#
            ),
            (
                "{\(seed.replacing("9.3", with: "9.75"))}",
                #""salon.open_time" must be a time as hour.minute from 0.00 to 23.59"#
            ),
            (
                "{\(seed),\"exceptions\":[{\"date\":\"2026-12-24\"}]}",
                #""salon.exceptions[0].open_time" must be present"#
            ),
            ("{\(seed),\"version\":\"1\"}", #""salon.version" must be an integer"#),
            (
                "{\(seed),\"slot_minuets\":45}",
                #""salon" must be a salon without slot_minuets; did you mean slot_minutes?"#
            ),
            ("{\(seed),\"hours\":\"09:30-19:00\"}", #""salon.hours" must be 09:30-18:00, as"#),
            ("{\(seed),\"hours\":5}", #""salon.hours" must be a string"#),
            (
                "{\(seed),\"time_zone\":\"../etc\"}",
                #""salon.time_zone" must be the name of a time zone"#
            ),
            (
                "{\(seed),\(services(#""price":{"amount":1}"#))}",
                #""salon.services[0].price.currency" must be present"#
            ),
            (
                "{\(seed),\(services(#""buffer":5"#))}",
                #""salon.services[0].buffer" must be absent; the members are id, name, minutes,"#
            ),
            (
                "{\(seed),\(services(#""price":{"amount":1,"currency":"EUR","text":"1 EUR"}"#))}",
                #""salon.services[0].price.text" must be 0.01 EUR, as amount and currency say"#
            ),
            (
                "{\(seed),\"staff\":[{\"id\":\"a\",\"name\":\"A\",\"hours\":\"x\"}]}",
                #""salon.staff[0].hours" must be absent"#
            ),
            ("{\(seed),\"seats\":0}", #""salon.seats" must be a number of seats from 1 to 1000"#),
            ("null", #""salon" is missing"#),
        ]
    )
    func invalid(salon: String, message: String) throws {
        let error = try #require(self.error(of: salon))
        #expect(error.code == -32_602)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.data?.description.contains(#""parameter":"salon""#) == true)
    }

    @Test("may have hours as text, also in exceptions, which means the same as the numbers")
    func hoursAsText() throws {
        let day = #""exceptions":[{"date":"2026-12-24","open_time":9,"close_time":12.05}]"#
        let numbers = try read("{\(Self.seed),\(day)}")
        let text = "{\(Self.seed),\(day)}".replacing("9.3,", with: #""9:30","#)
            .replacing("\"open_time\":9,", with: #""open_time":"09:00","#)
            .replacing("12.05", with: #""12:05""#)
        #expect(text.contains(#""9:30""#) && text.contains(#""09:00""#))
        #expect(try read(text) == numbers)
    }

    @Test(
        "that cannot be hours are rejected with an example",
        arguments: ["8.30am", "24:00", "8:3", ""]
    )
    func invalidHours(text: String) throws {
        let found = try #require(
            error(of: "{\(Self.seed)}".replacing("9.3,", with: "\"\(text)\","))
        )
        #expect(found.message.contains(#"a time such as 8.30 or "08:30""#))
    }
}
