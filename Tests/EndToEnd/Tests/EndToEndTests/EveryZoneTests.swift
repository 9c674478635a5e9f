import Foundation
import JSON
import Testing

/// Compares the statically linked program with Python, which reads the same zone files. Foundation did
/// not find its time zones in a statically linked program.
@Suite(
    "Every transition of every time zone",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")),
    .throttled,
    .timeLimit(.minutes(10))
)
struct EveryZoneTests {
    @Test(
        "slots before and after have the right local time; times in a gap or overlap are rejected"
    )
    func everyTransition() async throws {
        let changes = try await ClockChange.all()
        let zones = Set(changes.map(\.zone)).sorted()
        try #require(zones.count > 400)
        let list = ZonedSalons.list(zones)
        let server = try ScriptedServer { connection in
            let isSalons = connection.request.hasPrefix("GET /salons ")
            return .reply("200 OK", isSalons ? list : #"{"appointments":[]}"#)
        }
        let urls = ["--salons-url", server.url + "/salons"]
        let client = try Novablend(urls + ["--appointments-url", server.url + "/appointments"])
        let ids = Dictionary(
            uniqueKeysWithValues: zones.enumerated().map { ($1, ZonedSalons.id($0)) }
        )
        for change in changes {
            let id = try #require(ids[change.zone])
            // Past times are not listed.
            if Date(timeIntervalSince1970: Double(change.instant - 3_600)) > Date() {
                try await checkSlots(beside: change, of: id, client)
            }
            if change.before != change.after {
                try await checkRejection(in: change, of: id, client)
            }
        }
    }

    private func checkSlots(
        beside change: ClockChange,
        of id: String,
        _ client: Novablend
    ) async throws {
        let range = [change.instant - 1_800, change.instant + 1_800].map {
            ClockChange.text($0, offset: 0)
        }
        let params = #"{"salonId":"\#(id)","start":"\#(range[0])","end":"\#(range[1])"}"#
        let reply = try await client.result("salons/availability", params)
        let starts = try reply.startsByDay("free")
        // Slots start every half hour from midnight. One zone has a transition at 00:01.
        #expect(starts.count == 2, "\(change)")
        for (offset, date, time) in starts {
            let start = try #require(ClockChange.seconds(date: date, time: time, offset))
            let expected = ClockChange.text(
                start,
                offset: start < change.instant ? change.before : change.after
            )
            let shown = "\(date)T\(time.prefix(5)):00"
            #expect(expected.hasPrefix(shown), "\(change): \(time)")
            #expect(abs(start - change.instant) <= 1_800, "\(change): \(time)")
        }
    }

    /// Books in the middle of the gap or the overlap, and expects an error with both candidates.
    private func checkRejection(
        in change: ClockChange,
        of id: String,
        _ client: Novablend
    ) async throws {
        let offset = (change.before + change.after) / 2
        let local = ClockChange.text(change.instant, offset: offset, isBare: true)
        let params = #"{"salonId":"\#(id)","appointmentTime":"\#(local)","phone":"12345"}"#
        let failure = try await client.failure("appointments/book", params)
        let instant = change.instant + offset
        // One candidate per offset. In a gap, each lies on the other side of the transition, and
        // therefore has the other offset.
        var candidates = [change.before, change.after]
            .map { (instant - $0, $0) }.sorted { $0.0 < $1.0 }
        if change.after > change.before {
            candidates = candidates.map {
                ($0.0, $0.1 == change.after ? change.before : change.after)
            }
        }
        let expected = candidates.map { "\"\(ClockChange.text($0.0, offset: $0.1))\"" }
        let candidatesText = #""candidates":[\#(expected.joined(separator: ","))]"#
        let found = failure.data?.text ?? ""
        #expect(failure.code == -32602 && found.contains(candidatesText), "\(change): \(found)")
    }
}
