import Contract
import Domain
import JSON
import Testing

@Suite("The JSON of salons")
struct SalonPayloadTests {
    private let first = """
        {"id": "1F0A6C0E-5B7C-4D8E-9A55-0C5B3E8A4D01", "name": "a name", "location": "a location",
         "phone": "a phone number", "open_time": 9.30, "close_time": 22.30}
        """

    private func salon(_ json: String) throws -> Salon { try SalonCodec.decode(Array(json.utf8)) }

    private func path(of json: String) -> String? {
        do throws(JSONError) {
            _ = try SalonListCodec.decode(Array(json.utf8))
            return nil
        } catch {
            guard case .mismatch(let path, _) = error else { return nil }
            return path.description
        }
    }

    @Test("the payload of seed 000 is read: 9.30 is 09:30")
    func seedPayload() throws {
        let second = first.replacing("\"phone\": \"a phone number\", ", with: "")
        let salons = try SalonListCodec.decode(Array("{\"salons\": [\(first), \(second)]}".utf8))
        #expect(salons.count == 2)
        #expect(salons[0].hours.description == "09:30-22:30")
        #expect(salons[0].phone == "a phone number")
        #expect(salons[1].phone == nil)
        #expect(salons[0].id.description == "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01")
    }

    @Test("salons are read back equal, and written with the same bytes again")
    func roundTrip() throws {
        let salons = try SalonListCodec.decode(Array("{\"salons\": [\(first)]}".utf8))
        let bytes = SalonListCodec.encode(salons)
        #expect(try SalonListCodec.decode(bytes) == salons)
        #expect(SalonListCodec.encode(try SalonListCodec.decode(bytes)) == bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("\"open_time\":9.30,\"close_time\":22.30"))
    }

    @Test("every minute of the day is read back equal")
    func everyMinute() throws {
        for minute in 0..<1_440 {
            let time = TimeOfDay(minuteOfDay: minute)
            #expect(try TimeOfDayCodec.decode(TimeOfDayCodec.encode(time)) == time)
        }
    }

    @Test(
        "9.3 means 9.30, and full hours need no decimals",
        arguments: [
            ("9.3", "09:30"), ("9.30", "09:30"), ("8", "08:00"), ("8.00", "08:00"),
            ("0.05", "00:05"), ("23.59", "23:59"), ("-0.0", "00:00"),
        ]
    )
    func timesOfDay(json: String, expected: String) throws {
        #expect(try TimeOfDayCodec.decode(Array(json.utf8)).description == expected)
    }

    @Test(
        "a number that is not a time of day is rejected",
        arguments: [
            "9.75", "9.60", "24.00", "-1", "9.305", "1e300", "\"9.30\"", "null", "true",
        ]
    )
    func invalidTimesOfDay(json: String) {
        #expect(throws: JSONError.self) { try TimeOfDayCodec.decode(Array(json.utf8)) }
    }

    @Test(
        "the error of a fraction of an hour shows how to write that time of day, if there is one",
        arguments: [
            ("9.75", ", such as 9.45 for 09:45"), ("23.98", ", such as 23.59 for 23:59"),
            ("24", ""), ("-0.1", ""),
        ]
    )
    func suggestedTime(json: String, suggestion: String) {
        let error = #expect(throws: JSONError.self) { try TimeOfDayCodec.decode(Array(json.utf8)) }
        let description = error.map { "\($0)" } ?? ""
        #expect(description.contains("a time as hour.minute from 0.00 to 23.59\(suggestion)"))
        #expect(description.contains("such as") == !suggestion.isEmpty)
    }

    @Test("a number within 0.00000001 of a hundredth is read as that hundredth")
    func nearest() throws {
        for hundredths in -120...2_420 {
            for offset in [0, 1e-9, -1e-9, 9e-9, -9e-9, 2e-8, -2e-8, 0.004_999, -0.005, 0.005] {
                let number = Double(hundredths) / 100 + offset
                let rounded = (number * 100).rounded()
                let isValid =
                    number >= 0 && rounded < 2_400
                    && abs(number * 100 - rounded) < 1e-6 && Int(rounded) % 100 < 60
                let time = try? TimeOfDayCodec.decode(Array("\(number)".utf8))
                #expect((time != nil) == isValid, "\(number)")
                if let time { #expect(time.hour * 100 + time.minute == Int(rounded), "\(number)") }
            }
        }
    }

    @Test("one invalid element makes the payload invalid, and the error has its path")
    func brokenElement() {
        let broken = first.replacing("9.30", with: "9.75")
        #expect(path(of: "{\"salons\": [\(first), \(broken)]}") == "salons[1].open_time")
        #expect(path(of: "{\"salons\": [\(first), 7]}") == "salons[1]")
        let nameless = first.replacing("\"name\"", with: "\"title\"")
        #expect(path(of: "{\"salons\": [\(nameless)]}") == "salons[0].name")
        let version = first.replacing("{\"id\"", with: "{\"version\": \"1\", \"id\"")
        #expect(path(of: "{\"salons\": [\(version)]}") == "salons[0].version")
        let noID = first.replacing("1F0A6C0E-", with: "")
        #expect(path(of: "{\"salons\": [\(noID)]}") == "salons[0].id")
        #expect(path(of: "{\"salons\": {}}") == "salons")
        #expect(path(of: "{}") == "salons")
        #expect(path(of: "[]") == "")
    }

    @Test("for an optional value, absent and null mean the same; unknown keys are ignored")
    func optionalAndUnknown() throws {
        let null = try salon(first.replacing("\"a phone number\"", with: "null"))
        #expect(null.phone == nil)
        let extended = first.replacing("{\"id\"", with: "{\"stars\": {\"now\": [5]}, \"id\"")
        #expect(try salon(extended) == salon(first))
    }

    @Test(
        "the version is read and written as an integer, and is absent if the server has none",
        arguments: [("7", 7), ("1.0", 1), ("9007199254740993", 9_007_199_254_740_993)]
    )
    func version(json: String, expected: Int) throws {
        let versioned = try salon(first.replacing("{\"id\"", with: "{\"version\": \(json), \"id\""))
        #expect(versioned.version == expected)
        let text = String(decoding: SalonCodec.encode(versioned), as: UTF8.self)
        #expect(text.hasSuffix("\"close_time\":22.30,\"version\":\(expected)}"))
        #expect(try salon(text) == versioned)
        var unversioned = versioned
        unversioned.version = nil
        #expect(try salon(first) == unversioned)
    }

    @Test("null is rejected for a required value")
    func requiredNull() {
        #expect(throws: JSONError.self) {
            try salon(first.replacing("\"a location\"", with: "null"))
        }
    }

    @Test("an HTML page instead of JSON is rejected as malformed")
    func htmlPage() {
        do throws(JSONError) {
            _ = try SalonListCodec.decode(Array("<!DOCTYPE html><h1>502</h1>".utf8))
            Issue.record("HTML was read as salons")
        } catch {
            guard case .malformed = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
