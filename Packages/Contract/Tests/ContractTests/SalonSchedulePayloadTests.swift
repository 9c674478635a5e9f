import Contract
import Domain
import JSON
import Testing

@Suite("The JSON of a salon's schedule")
struct SalonSchedulePayloadTests {
    private func json(_ members: String) -> [UInt8] {
        let salon = """
            {"id": "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01", "name": "n", "location": "l",
             "open_time": 9.30, "close_time": 22.30, \(members)}
            """
        return Array("{\"salons\": [\(salon)]}".utf8)
    }

    @Test("is read with all members, and written so that it is read back equal")
    func allMembers() throws {
        let bytes = json(
            """
            "slot_minutes": 45, "time_zone": "Europe/Berlin", "lead_minutes": 60, "furthest_days": 0,
            "max_active_per_customer": 1, "max_per_day_per_customer": 1000,
            "exceptions": [{"date": "2026-12-24", "closed": true, "why": "Christmas"},
                           {"date": "2026-12-31", "open_time": 10, "close_time": 13.30}]
            """
        )
        let salon = try #require(try SalonListCodec.decode(bytes).first)
        #expect(salon.slotMinutes == 45 && salon.timeZone?.name == "Europe/Berlin")
        #expect(salon.leadMinutes == 60 && salon.furthestDays == 0)
        #expect(salon.customerLimits == CustomerLimits(active: 1, perDay: 1_000))
        #expect(
            salon.exceptions.map(\.dates.lowerBound.description) == ["2026-12-24", "2026-12-31"]
        )
        #expect(salon.exceptions.map { $0.hours.map(\.description) } == [[], ["10:00-13:30"]])
        #expect(try SalonCodec.decode(SalonCodec.encode(salon)) == salon)
    }

    @Test("allows slots from five minutes to a day", arguments: [5, 1_440])
    func slotMinutes(minutes: Int) throws {
        let salon = try SalonListCodec.decode(json("\"slot_minutes\": \(minutes)")).first
        #expect(salon?.slotMinutes == minutes)
    }

    @Test("may have null for any member, which means the same as an absent member")
    func nullMembers() throws {
        let nulls = [
            "slot_minutes", "time_zone", "exceptions", "lead_minutes", "furthest_days",
            "max_active_per_customer", "max_per_day_per_customer",
        ].map { "\"\($0)\": null" }.joined(separator: ", ")
        let salon = try #require(try SalonListCodec.decode(json(nulls)).first)
        #expect(salon.timeZone == nil && salon.exceptions.isEmpty)
        #expect(salon.leadMinutes == 0 && salon.furthestDays == nil && salon.slotMinutes == nil)
        #expect(salon.customerLimits == CustomerLimits())
    }

    @Test(
        "is rejected with the path of an invalid value",
        arguments: [
            (#""time_zone": "../etc/passwd""#, "time_zone"), (#""time_zone": 1"#, "time_zone"),
            (#""lead_minutes": -1"#, "lead_minutes"), (#""furthest_days": 1e9"#, "furthest_days"),
            (#""max_active_per_customer": 0"#, "max_active_per_customer"),
            (#""max_per_day_per_customer": 1001"#, "max_per_day_per_customer"),
            (#""slot_minutes": 0"#, "slot_minutes"), (#""slot_minutes": 4"#, "slot_minutes"),
            (#""slot_minutes": 1441"#, "slot_minutes"), (#""exceptions": {}"#, "exceptions"),
            (#""exceptions": [{"date": "2026-02-29", "closed": true}]"#, "exceptions[0].date"),
            (#""exceptions": [{"closed": true}]"#, "exceptions[0].date"),
            (#""exceptions": [{"date": "2026-12-24"}]"#, "exceptions[0].open_time"),
            (
                #""exceptions": [{"date": "2026-12-24", "open_time": 9, "close_time": 9.75}]"#,
                "exceptions[0].close_time"
            ),
            (#""exceptions": [{"date": "2026-12-24", "closed": "yes"}]"#, "exceptions[0].closed"),
        ]
    )
    func wrong(members: String, path: String) {
        do throws(JSONError) {
            _ = try SalonListCodec.decode(json(members))
            Issue.record("\(members) was read")
        } catch {
            guard case .mismatch(let found, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(found == "salons[0].\(path)")
        }
    }
}
