import Foundation
import JSON
import Synchronization
import Testing

/// Times at a server without availability.
@Suite("Times that commands show and accept", .throttled, .timeLimit(.minutes(10)))
struct ShownTimeTests {
    private static let phone = ["--phone", "+49 30 1234567"]

    /// A server with one salon, which has the members `salon`, or whose list fails if they are nil. It
    /// has one appointment, which someone in New York booked, and passes bookings to `booked`.
    private func server(
        _ salon: String?,
        booked: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> ScriptedServer {
        let id = ZonedSalons.id(0)
        let appointment = """
            {"id":"a","salonId":"\(id)","phone":"+49 30 1234567",\
            "appointmentTime":"2030-01-07T11:00:00-0500","endTime":"2030-01-07T12:00:00-0500"}
            """
        let rest = salon.map { #"{"id":"\#(id)","name":"A","location":"B",\#($0)}"# }
        return try ScriptedServer { connection in
            if connection.request.hasPrefix("POST") {
                booked(connection.body)
                return .reply("201 Created", connection.body)
            }
            if connection.request.hasPrefix("GET /appointments") {
                return .reply("200 OK", #"{"appointments":[\#(appointment)]}"#)
            }
            guard connection.request.hasPrefix("GET /salons"), let rest,
                !connection.request.contains("/availability")
            else { return .reply("404 Not Found", "") }
            return .reply("200 OK", #"{"salons":[\#(rest)]}"#)
        }
    }

    private static let hours = #""open_time":9,"close_time":10,"slot_minutes":30"#

    @Test("appointments shows the salon's clock, without a cached list, too")
    func salonClock() async throws {
        let server = try server(Self.hours + #","time_zone":"Europe/Madrid""#)
        let cli = try CommandLineClient(["--base-url", server.url])
        let listed = try await cli.run("appointments")
        #expect(listed.line(1).hasPrefix("2030-01-07T17:00:00+01:00  18:00"), "\(listed)")
        #expect(listed.errors.isEmpty)
        let json = try await cli.run("appointments", "--json").output
        #expect(json.contains(#""appointmentTime":"2030-01-07T11:00:00-0500""#))
        #expect(json.contains(#""end":"2030-01-07T18:00:00+01:00""#))
    }

    @Test("appointments says so if the salon is unknown, and shows what the server has")
    func unknownSalon() async throws {
        let server = try server(nil)
        let cli = try CommandLineClient(["--base-url", server.url])
        let listed = try await cli.run("appointments")
        #expect(listed.line(1).hasPrefix("2030-01-07T11:00:00-0500  12:00"), "\(listed)")
        #expect(listed.errors.hasPrefix("the salons of 1 appointment are unknown"), "\(listed)")
    }

    @Test("appointments shows this machine's clock for a salon without a time zone")
    func machineClock() async throws {
        let server = try server(Self.hours)
        let cli = try CommandLineClient(["--base-url", server.url])
        let listed = try await cli.run("appointments", environment: ["TZ": "Asia/Tokyo"])
        #expect(listed.line(1).hasPrefix("2030-01-08T01:00:00+09:00  02:00"), "\(listed)")
    }

    @Test("slots and week have the same hours before and after a change of this machine's clock")
    func clockChange() async throws {
        let server = try server(Self.hours)
        let cli = try CommandLineClient(["--base-url", server.url])
        let berlin = ["TZ": "Europe/Berlin"]
        // Clocks go back on 2030-10-27.
        let range = ["--start", "2030-10-26", "--end", "2030-10-28"]
        let slots = try await cli.run(["slots", ZonedSalons.id(0)] + range, environment: berlin)
        let times = slots.lines.dropFirst().map { String($0.prefix { $0 != " " }) }
        #expect(
            times
                == [("26", "2"), ("27", "1"), ("28", "1")].flatMap { day, hours in
                    ["09:00", "09:30"].map { "2030-10-\(day)T\($0):00+0\(hours):00" }
                },
            "\(slots)"
        )
        let words = ["week", ZonedSalons.id(0), "--from", "2030-10-24"]
        let week = try await cli.run(words, environment: berlin)
        #expect(week.line(1) == "2030-10-24 to 2030-10-30", "\(week)")
        #expect(week.lines.count { $0.contains("09:00-10:00  free") } == 7, "\(week)")
    }

    @Test("book requires a time of day, and names the forms of a time")
    func forms() async throws {
        let bodies = Mutex<[String]>([])
        let server = try server(#""open_time":0,"close_time":0,"time_zone":"Europe/Madrid""#) {
            body in bodies.withLock { $0.append(body) }
        }
        let cli = try CommandLineClient(["--base-url", server.url])
        let forms = "a day and a time of day, such as 2026-11-24T14:30"
        let example = "a time after a day, such as today 10:30"
        for (typed, expected) in [
            ("2030-01-07", forms), ("tomorrow", forms), ("9:00", example), ("noon", example),
        ] {
            let day = try await cli.run(["book", ZonedSalons.id(0), typed] + Self.phone)
            #expect(day.code == 64 && day.errors.contains("TIME must be \(expected)"), "\(day)")
        }
        #expect(bodies.withLock { $0 } == [])
        for typed in ["tomorrow 9:00", "mon 9:00"] {
            let booked = try await cli.run(["book", ZonedSalons.id(0), typed] + Self.phone)
            #expect(booked.code == 0 && booked.output.contains("T09:00:00+0"), "\(booked)")
        }
        let explain = try await cli.run("slots", ZonedSalons.id(0), "--explain", "tomorrow")
        #expect(explain.code == 64 && explain.errors.contains("--explain must be a day and"))
    }
}
