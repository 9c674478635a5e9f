import Domain
import Foundation
import Networking
import Persistence
import SystemTestSupport
import Testing
import WebPrimitives

@testable import NovaBlendAdapters
@testable import NovaBlendDoctor

@Suite("A check of the doctor")
struct DoctorTests {
    private let now = Timestamp(secondsSince1970: 1_790_000_000)

    private func responded(
        _ status: Int = 200,
        _ body: String = #"{"salons":[]}"#,
        headers: HTTPHeaders = [:],
        url: String = "http://127.0.0.1:1/salons",
        expiry: HTTPDate? = nil
    ) -> ServerProbe {
        var response = HTTPResponse(
            status: status,
            headers: headers,
            body: Array(body.utf8),
            url: url
        )
        response.certificateExpiry = expiry
        return .responded(response, milliseconds: 7, at: now)
    }

    @Test("of the server fails if the response is missing, an error, or against the contract")
    func server() {
        #expect(check(responded()).state == .ok)
        #expect(check(responded(404)).found.contains("status 404"))
        let broken = check(responded(200, #"{"salons":[7]}"#))
        #expect(broken.state == .fail && broken.found.contains("salons[0]"))
        let away = ServerProbe.failed(HTTPClientError(.couldNotResolve), url: "http://a")
        #expect(check(away).advice?.contains("host") == true)
        let none = check(.notConfigured)
        #expect(none.state == .warn && none.advice?.contains("--base-url") == true)
    }

    @Test("of the server says if it counted only the first page, and fails for an unusable link")
    func pages() {
        let first = check(responded(headers: ["Link": "<?cursor=2>; rel=next"]))
        #expect(first.state == .ok && first.found.hasSuffix("with 0 salons on the first page"))
        #expect(check(responded()).found.hasSuffix("with 0 salons"))
        let foreign = check(responded(headers: ["Link": "<https://127.0.0.1:1/>; rel=next"]))
        #expect(foreign.state == .fail && foreign.found.contains("different origin, https://"))
    }

    private func check(_ probe: ServerProbe) -> Finding {
        ServerCheck(probe: probe, salonsURL: "http://127.0.0.1:1/salons").finding
    }

    @Test("of the certificate reports whether it was rejected, verified, unnecessary, or missing")
    func certificate() {
        func state(_ probe: ServerProbe) -> Finding.State {
            CertificateCheck(probe: probe, file: nil).finding.state
        }
        let error = HTTPClientError(.tls, detail: "certificate has expired")
        let finding = CertificateCheck(probe: .failed(error, url: "https://a"), file: nil).finding
        #expect(finding.state == .fail && finding.found == "certificate has expired")
        #expect(finding.advice?.contains("renew") == true)
        #expect(state(responded(url: "https://a/salons")) == .ok)
        #expect(state(responded()) == .ok && state(responded(url: "http://a/salons")) == .warn)
        #expect(state(.failed(HTTPClientError(.couldNotConnect), url: "https://a")) == .warn)
        // This host name only begins like a loopback address.
        #expect(state(responded(url: "http://127.a.example/salons")) == .warn)
    }

    @Test(
        "of the certificate names the configured file and directory, or the system's certificates"
    )
    func trustedCertificates() {
        func found(_ file: String?, _ directory: String?) -> String {
            let probe = responded(url: "https://a/salons")
            return CertificateCheck(probe: probe, file: file, directory: directory).finding.found
        }
        #expect(found(nil, nil) == "verified with the system's certificates")
        #expect(found("ca.pem", nil) == "verified with ca.pem")
        #expect(found(nil, "certs") == "verified with certs")
        #expect(found("ca.pem", "certs") == "verified with ca.pem and certs")
        let unknown = ServerProbe.failed(HTTPClientError(.tls, detail: "unknown"), url: "https://a")
        let rejected = CertificateCheck(probe: unknown, directory: "certs").finding
        #expect(rejected.advice == "check that certs contains the CA that issued it")
    }

    @Test(
        "of the certificate shows when it expires, and warns if that is in less than 14 days",
        arguments: [
            (0, Finding.State.fail, "expired on 2026-09-21"),
            (1, .warn, "until 2026-09-21: 0 days are left"),
            (86_400, .warn, "until 2026-09-22: 1 day is left"),
            (14 * 86_400 - 1, .warn, "until 2026-10-05: 13 days are left"),
            (14 * 86_400, .ok, "until 2026-10-05"),
        ]
    )
    func expiry(seconds: Int, state: Finding.State, words: String) {
        let end = HTTPDate(secondsSince1970: Int(now.secondsSince1970) + seconds)
        let probe = responded(url: "https://a/salons", expiry: end)
        let finding = CertificateCheck(probe: probe, file: nil).finding
        #expect(finding.state == state && finding.found.hasSuffix(words), "\(finding)")
        #expect((finding.advice == nil) == (state == .ok))
    }

    @Test("of the clock warns if it differs from the server's by more than a minute")
    func clock() {
        func finding(_ date: String) -> Finding {
            ClockCheck(probe: responded(headers: ["Date": date]), now: now).finding
        }
        #expect(finding("Mon, 21 Sep 2026 14:13:20 GMT").state == .ok)
        #expect(finding("Mon, 21 Sep 2026 14:12:20 GMT").state == .ok)
        let ahead = finding("Mon, 21 Sep 2026 14:12:19 GMT")
        #expect(ahead.state == .warn && ahead.found.hasPrefix("61 s ahead"))
        #expect(finding("Mon, 21 Sep 2026 14:14:21 GMT").found.hasPrefix("61 s behind"))
        #expect(finding("someday").state == .ok)
        let epoch = Timestamp(secondsSince1970: 0)
        #expect(ClockCheck(probe: .notConfigured, now: epoch).finding.state == .fail)
    }

    @Test("of the zones fails if the directory has no zones")
    func zones() throws {
        let directory = try TemporaryDirectory()
        #expect(ZoneCheck(directory: nil).finding.state == .ok)
        let missing = ZoneCheck(directory: directory.path).finding
        #expect(missing.state == .fail && missing.found.contains(directory.path))
    }

    @Test("of the journal warns of a booking in doubt, and fails if the journal is unreadable")
    func journal() throws {
        let directory = try TemporaryDirectory()
        let journal = FileBookingJournal(directory: directory.path, clock: SystemClock())
        func finding() -> Finding { JournalCheck(journal: journal).finding }
        #expect(finding().state == .ok)
        let booking = BookingRequest(
            salonID: SalonID(high: 0, low: 1),
            time: AppointmentTime(instant: now),
            phone: "12345"
        )
        let intent = BookingIntent(
            key: "k",
            action: .book(booking),
            createdAt: now,
            caller: Caller(credential: "none")
        )
        _ = try journal.begin(intent, joiningSameBooking: false)
        #expect(finding().state == .warn && finding().found.hasPrefix("1 booking is"))
        let garbage = Data("no journal".utf8)
        try garbage.write(to: URL(filePath: directory.path + "/bookings.journal"))
        #expect(finding().state == .fail && finding().found.contains("bookings.journal"))
    }
}
