import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

@Suite("Export of appointments as a calendar", .throttled, .timeLimit(.minutes(10)))
struct ExportTests {
    private let backend: BackendProcess

    init() async throws { backend = try await BackendProcess() }

    private func lines(_ calendar: String) -> [String] {
        calendar.replacing("\r\n ", with: "").components(separatedBy: "\r\n")
    }

    @Test("the calendar has all appointments, also offline, and contains no phone number or email")
    func exported() async throws {
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("salons/list")
        let hostile = #","email":"ada@example.com","notes":"a;b\r\nEND:VEVENT""#
        let booked = try await client.result("appointments/book", Sample.booking(extra: hostile))
        let id = try booked.required("appointment").object().required("id").string()
        _ = try await client.result("appointments/book", Sample.booking(hour: 14))
        for isOffline in [false, true] {
            if isOffline { backend.child.kill() }
            let export = try await client.result("appointments/export")
            #expect(try export.source() == (isOffline ? "cache" : "server"))
            #expect(try export.required("mediaType").string() == "text/calendar")
            #expect(try export.required("count").integer() == 2)
            let calendar = try export.required("calendar").string()
            let lines = lines(calendar)
            #expect(lines.filter { $0 == "END:VEVENT" }.count == 2)
            #expect(lines.contains("UID:\(id)@\(Sample.salon)"))
            #expect(lines.contains("SUMMARY:Scherenschnitt"))
            #expect(lines.contains(#"DESCRIPTION:a\;b\nEND:VEVENT"#))
            #expect(!calendar.contains("1234567") && !calendar.contains("ada@"))
        }
        let empty = try await client.result("appointments/export", #"{"status":"cancelled"}"#)
        #expect(try empty.required("count").integer() == 0)
        #expect(try lines(empty.required("calendar").string()).first == "BEGIN:VCALENDAR")
        let late = #"{"start":"2999-01-01T00:00:00Z"}"#
        #expect(try await client.result("appointments/export", late).text.contains(#""count":0"#))
    }

    @Test("each of several appointments without ids is an event of its own")
    func withoutIDs() async throws {
        let bookings = [("1", "ana"), ("2", "ana"), ("3", "ben")].map { phone, staff in
            #"{"salonId":"\#(ZonedSalons.id(0))","appointmentTime":"2030-01-01T10:00:00+0000","#
                + #""phone":"\#(phone)1234567","staffId":"\#(staff)"}"#
        }
        let isReversed = Mutex(false)
        let server = try ScriptedServer { _ in
            let listed = isReversed.withLock(\.self) ? bookings.reversed() : bookings
            return .reply(
                "200 OK",
                #"{"salons":[],"appointments":[\#(listed.joined(separator: ","))]}"#
            )
        }
        let client = try Novablend(["--base-url", server.url])
        var calendars: [Set<String>] = []
        for _ in 1...2 {
            let calendar = try await client.result("appointments/export")
            #expect(try calendar.required("count").integer() == 3)
            let text = try calendar.required("calendar").string()
            calendars.append(Set(lines(text).filter { $0.hasPrefix("UID:") }))
            isReversed.withLock { $0 = true }
        }
        #expect(calendars[0].count == 3 && calendars[0] == calendars[1], "\(calendars)")
    }

    @Test("the calendar is written to a new file, and replaces a file only with overwrite")
    func file() async throws {
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("appointments/book", Sample.booking())
        let file = client.directory.path + "/calendar.ics"
        let written = try await client.result("appointments/export", #"{"file":"\#(file)"}"#)
        #expect(try written.required("file").string() == file && written["calendar"] == nil)
        #expect(try written.required("count").integer() == 1)
        let bytes = try Data(contentsOf: URL(filePath: file))
        let shown = try await client.result("appointments/export")
        #expect(
            try lines(String(decoding: bytes, as: UTF8.self)).filter { !$0.hasPrefix("DTSTAMP") }
                == lines(shown.required("calendar").string()).filter { !$0.hasPrefix("DTSTAMP") }
        )
        let again = try await client.failure("appointments/export", #"{"file":"\#(file)"}"#)
        #expect(again.code == -32_602)
        let overwrite = #"{"file":"\#(file)","overwrite":true,"status":"cancelled"}"#
        _ = try await client.result("appointments/export", overwrite)
        #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("VEVENT"))
        let relative = try await client.failure("appointments/export", #"{"file":"a.ics"}"#)
        #expect(try relative.data?.required("parameter").string() == "file")
    }

    @Test("without a status, the calendar has what was cancelled, so that importers remove it")
    func cancelled() async throws {
        let client = try Novablend(["--base-url", backend.url])
        let booked = try await client.result("appointments/book", Sample.booking())
        let id = try booked.required("appointment").object().required("id").string()
        _ = try await client.result("appointments/book", Sample.booking(hour: 14))
        func calendar(_ parameters: String = "{}") async throws -> [String] {
            let export = try await client.result("appointments/export", parameters)
            return lines(try export.required("calendar").string())
        }
        let before = try await calendar(#"{"remind":"1d"}"#)
        #expect(before.filter { $0 == "TRIGGER:-P1D" }.count == 2)
        _ = try await client.result("appointments/cancel", #"{"id":"\#(id)"}"#)
        let after = try await calendar(#"{"remind":"90m"}"#)
        #expect(after.contains("UID:\(id)@\(Sample.salon)"))
        #expect(after.filter { $0 == "STATUS:CANCELLED" }.count == 1)
        #expect(
            after.filter { $0.hasPrefix("SEQUENCE:") }.sorted() == ["SEQUENCE:0", "SEQUENCE:1"]
        )
        #expect(after.filter { $0 == "TRIGGER:-PT1H30M" }.count == 1)
        #expect(try await !calendar(#"{"status":"booked"}"#).contains("STATUS:CANCELLED"))
        for duration in ["1", "1w", "-1d", "0m", "29d", "1 d", "٣d", "99999999999999999999m"] {
            let failure = try await client.failure(
                "appointments/export",
                #"{"remind":"\#(duration)"}"#
            )
            #expect(failure.code == -32_602, "\(duration)")
            #expect(try failure.data?.required("parameter").string() == "remind")
        }
    }

    @Test("with --read-only the calendar is returned, and no file is written")
    func readOnly() async throws {
        let client = try Novablend(["--base-url", backend.url, "--read-only"])
        #expect(try await client.result("appointments/export")["calendar"] != nil)
        let file = client.directory.path + "/calendar.ics"
        let failure = try await client.failure("appointments/export", #"{"file":"\#(file)"}"#)
        #expect(failure.name == "readOnly" && !FileManager.default.fileExists(atPath: file))
    }
}
