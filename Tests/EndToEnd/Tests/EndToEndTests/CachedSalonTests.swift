import Foundation
import JSON
import Synchronization
import Testing

/// Salons that change after they were cached, at a server that states no versions.
@Suite("A changed salon", .throttled, .timeLimit(.minutes(10)))
struct CachedSalonTests {
    /// What the server has.
    private struct State {
        /// The salons; nil if requests for them fail.
        var salons: [String]? = []
        /// The bodies of the bookings.
        var bookings: [String] = []
    }

    private final class Content: Sendable {
        let state = Mutex(State())

        func list(_ salons: [String]?) { state.withLock { $0.salons = salons } }
    }

    private let content = Content()

    /// A server that lists two free slots, at 10:00 and 10:30 UTC on 2030-01-07, and echoes bookings.
    private func server() throws -> ScriptedServer {
        let slots = [("10:00", "10:30"), ("10:30", "11:00")].map { start, end in
            #"{"start":"2030-01-07T\#(start)Z","end":"2030-01-07T\#(end)Z","available":true}"#
        }
        return try ScriptedServer { [content] connection in
            let request = connection.request
            if request.hasPrefix("POST") {
                content.state.withLock { $0.bookings.append(connection.body) }
                return .reply("201 Created", connection.body)
            }
            if request.contains("/availability") {
                return .reply("200 OK", #"{"slots":[\#(slots.joined(separator: ","))]}"#)
            }
            if request.hasPrefix("GET /appointments") {
                return .reply("200 OK", #"{"appointments":[]}"#)
            }
            guard let salons = content.state.withLock(\.salons) else {
                return .reply("503 Service Unavailable", "")
            }
            return .reply("200 OK", #"{"salons":[\#(salons.joined(separator: ","))]}"#)
        }
    }

    private func salon(_ members: String, number: Int = 0) -> String {
        #"{"id":"\#(ZonedSalons.id(number))","name":"A","location":"B",\#(members)}"#
    }

    private let hours = #""open_time":9,"close_time":18"#

    @Test("its slots are shown as the server lists them, also if the salon cannot be reloaded")
    func slots() async throws {
        let server = try server()
        let cli = try CommandLineClient(["--base-url", server.url])
        for (rule, range) in [
            (#""exceptions":[{"date":"2030-01-07","closed":true}]"#, ["--day", "2030-01-07"]),
            (#""slot_minutes":60"#, ["--day", "2030-01-07"]),
            (#""furthest_days":1"#, ["--day", "2030-01-07"]),
        ] {
            for latest in [salon(hours + #","time_zone":"UTC""#), nil] {
                content.list([salon(hours + #","time_zone":"UTC",\#(rule)"#)])
                #expect(try await cli.run("salons").code == 0)
                content.list(latest.map { [$0] })
                let words = ["slots", ZonedSalons.id(0)] + range
                let slots = try await cli.run(words)
                #expect(slots.lines.count { $0.contains("free") } == 2, "\(slots)")
                let time = "2030-01-07T10:30"
                let explained = try await cli.run(words + ["--explain", time])
                #expect(explained.line(0).hasSuffix("can be booked"), "\(explained)")
                #expect(!explained.line(0).contains("cannot"), "\(explained)")
            }
        }
    }

    @Test("a local time is booked, and shown, in the time zone that the salon has now")
    func zone() async throws {
        let server = try server()
        let cli = try CommandLineClient(["--base-url", server.url])
        content.list([salon(hours + #","time_zone":"Europe/Berlin""#)])
        #expect(try await cli.run("salons").code == 0)
        content.list([salon(hours + #","time_zone":"Europe/London""#)])
        let words = ["book", ZonedSalons.id(0), "2030-01-07 10:00", "--phone", "+49 30 1234567"]
        let booked = try await cli.run(words)
        #expect(booked.code == 0 && booked.output.contains("Europe/London"), "\(booked)")
        #expect(
            content.state.withLock(\.bookings).first?.contains("2030-01-07T10:00:00+0000") == true
        )
    }

    @Test("a new salon can be named by its id, with a local time")
    func new() async throws {
        let server = try server()
        let cli = try CommandLineClient(["--base-url", server.url])
        let old = salon(hours + #","time_zone":"Europe/Berlin""#)
        content.list([old])
        #expect(try await cli.run("salons").code == 0)
        content.list([old, salon(hours + #","time_zone":"Europe/Berlin""#, number: 1)])
        let words = ["book", ZonedSalons.id(1), "2030-01-07 11:00", "--phone", "+49 30 1234567"]
        let booked = try await cli.run(words, environment: ["TZ": "America/New_York"])
        #expect(booked.code == 0, "\(booked)")
        #expect(
            content.state.withLock(\.bookings).first?.contains("2030-01-07T11:00:00+0100") == true
        )
    }
}
