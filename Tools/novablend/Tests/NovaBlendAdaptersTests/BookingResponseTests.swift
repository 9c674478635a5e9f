import Domain
import DomainTestSupport
import Networking
import Testing

@testable import NovaBlendAdapters

/// What each response to a booking or a change proves.
@Suite("What a response proves")
struct BookingResponseTests {
    private enum Proof: Equatable {
        case notDone, notDoneUnlessShown, never, ifKeysAreHonored, always, conflict, accepted,
            unclear
    }

    private static let bodies = [
        "", "<!DOCTYPE html><p>no</p>", "{}", #"["error"]"#, #"{"error":"denied"}"#,
        #"{"message":"no"}"#, #"{"id":"a1","phone":"12345"}"#,
    ]

    private func response(
        _ status: Int,
        _ body: String,
        _ headers: HTTPHeaders = HTTPHeaders()
    ) -> HTTPResponse {
        let url = "http://a.example"
        return HTTPResponse(status: status, headers: headers, body: Array(body.utf8), url: url)
    }

    private func proof(of error: AttemptError) -> Proof {
        switch error {
        case .unproven: .notDoneUnlessShown
        case .noResponse(_, .never, _): .never
        case .noResponse(_, .ifKeysAreHonored, _): .ifKeysAreHonored
        case .noResponse(_, .always, _): .always
        case .conflict, .stillProcessing, .slotUnavailable: .conflict
        case .accepted: .accepted
        case .unclear: .unclear
        default: .notDone
        }
    }

    @Test("every status with a body that is not an error of the contract")
    func everyStatus() {
        for status in 202...599 {
            for (index, body) in Self.bodies.enumerated() {
                let isError = index == 4 || index == 5
                let expected: Proof =
                    switch status {
                    case 408, 499, 504, 522, 524, 598: .never
                    case 425: .always
                    case 200..<300: .accepted
                    case 307, 308: .notDoneUnlessShown
                    case 300..<400: .unclear
                    case 409: .conflict
                    case 400, 404, 410, 422: isError ? .notDone : .notDoneUnlessShown
                    case 400..<500: .notDoneUnlessShown
                    default: .ifKeysAreHonored
                    }
                let error = AttemptError(response(status, body))
                #expect(proof(of: error) == expected, "\(status) \(body)")
            }
        }
    }

    @Test(
        "an error of the contract is final at its status, and only there",
        arguments: [
            ("malformedRequest", 400), ("notAuthenticated", 401), ("notAllowed", 403),
            ("notYourHold", 403), ("notFound", 404), ("salonNotFound", 404),
            ("methodNotAllowed", 405), ("keyVoided", 410), ("appointmentDeleted", 410),
            ("tooLarge", 413), ("unsupportedMediaType", 415), ("invalidBooking", 422),
            ("idempotencyConflict", 422), ("notBookable", 422), ("tooManyRequests", 429),
        ]
    )
    func contract(name: String, status: Int) {
        let body = #"{"error":"\#(name)","message":"no"}"#
        #expect(proof(of: AttemptError(response(status, body))) == .notDone)
        for other in [401, 402, 403, 405, 406, 413, 415, 428, 429, 431, 451] where other != status {
            let error = AttemptError(response(other, body))
            #expect(proof(of: error) == .notDoneUnlessShown, "\(other)")
        }
        // Without a message it need not be an error of the contract.
        let short = AttemptError(response(status, #"{"error":"\#(name)"}"#))
        let isFinal = [400, 404, 410, 422].contains(status)
        #expect(proof(of: short) == (isFinal ? .notDone : .notDoneUnlessShown))
    }

    @Test("an error of the contract with 500 or more is not final: the server may have failed late")
    func serverErrors() {
        for (name, status) in [("internal", 500), ("storage", 503), ("storageFull", 507)] {
            let body = #"{"error":"\#(name)","message":"no"}"#
            #expect(proof(of: AttemptError(response(status, body))) == .ifKeysAreHonored)
        }
    }

    @Test(
        "only the contract's own 503 with Retry-After says that nothing was processed",
        arguments: [
            (#"{"error":"overloaded","message":"busy"}"#, "1", true),
            (#"{"error":"storage","message":"busy"}"#, "1", true),
            (#"{"error":"overloaded","message":"busy"}"#, nil, false),
            (#"{"error":"overloaded"}"#, "1", false),
            (#"{"error":"busy","message":"a"}"#, "1", false),
            (#"{"error":"slotUnavailable","message":"a"}"#, "1", false), ("", "1", false),
            ("<html>", "1", false),
        ] as [(String, String?, Bool)]
    )
    func retryAfter(body: String, seconds: String?, isAlways: Bool) {
        var headers = HTTPHeaders()
        headers["Retry-After"] = seconds
        let error = AttemptError(response(503, body, headers))
        #expect(proof(of: error) == (isAlways ? .always : .ifKeysAreHonored))
    }

    @Test("a 409 may be answered by a copy at any server only if it says why")
    func stillProcessing() {
        var headers = HTTPHeaders()
        headers["Retry-After"] = "1"
        let named = AttemptError(response(409, #"{"error":"stillProcessing"}"#))
        let words = "stillProcessing"
        #expect(named == .stillProcessing(reason: words, resending: .always))
        let silent = AttemptError(response(409, "", headers))
        let reason = "the server responded with status 409"
        #expect(
            silent
                == .stillProcessing(
                    reason: reason,
                    resending: .ifKeysAreHonored,
                    retryAfterSeconds: 1
                )
        )
    }

    @Test("a change is judged by the same rules, with its own errors")
    func changes() {
        let change = AppointmentChange(
            id: "a",
            version: 1,
            kind: .cancel,
            before: Samples.appointment()
        )
        func error(_ status: Int, _ body: String = "") -> AttemptError {
            AttemptError(response(status, body), to: change)
        }
        let conflict = #"{"error":"versionConflict","message":"old"}"#
        #expect(error(412, conflict) == .versionConflict(current: nil))
        #expect(error(412) == .unproven(.versionConflict(current: nil)))
        let unknown = #"{"error":"appointmentNotFound","message":"none"}"#
        #expect(error(404, unknown) == .appointmentNotFound(reason: "none"))
        for status in [404, 405, 410, 501] {
            let reason = "it responded with status \(status)"
            #expect(error(status, "<html>") == .unproven(.unsupported(reason: reason)))
        }
        #expect(error(410, #"{"error":"gone"}"#) == .rejected(status: 410, reason: "gone"))
        for status in [408, 499, 504, 522, 524, 598] {
            #expect(proof(of: error(status)) == .never)
        }
        for status in [500, 502, 503, 520, 521, 523, 525, 526, 527, 530] {
            #expect(proof(of: error(status)) == .ifKeysAreHonored)
        }
        for status in [401, 403, 406, 413, 429] {
            #expect(proof(of: error(status, #"{"error":"denied"}"#)) == .notDoneUnlessShown)
        }
    }

    @Test("a change of a salon is judged by the same rules")
    func salons() {
        func error(_ status: Int, _ body: String = "") -> AttemptError {
            AttemptError(toSalonChange: response(status, body))
        }
        for status in [401, 403, 405, 406, 413, 429, 501] {
            guard case .unproven = error(status, #"{"error":"denied"}"#) else {
                Issue.record("\(status) was believed")
                continue
            }
        }
        let redirect = "the server redirects the request to an unknown URL"
        #expect(error(308) == .unproven(.rejected(status: nil, reason: redirect)))
        let denied = #"{"error":"notAllowed","message":"no"}"#
        #expect(error(403, denied) == .notAllowed(reason: "no"))
        #expect(error(422, #"{"detail":"no"}"#) == .rejected(status: 422, reason: "no"))
        for status in [408, 425, 499, 500, 502, 503, 504, 522, 524, 598, 599] {
            let reason = "the server responded with status \(status)"
            #expect(error(status) == .noResponse(reason: reason))
        }
    }

    @Test("a hold is judged by the same rules")
    func holds() {
        for status in [403, 406, 429] {
            guard case .unproven = AttemptError(aboutHold: response(status, "{}")) else {
                Issue.record("\(status) was believed")
                continue
            }
        }
        let limit = #"{"error":"tooManyRequests","message":"wait"}"#
        let error = AttemptError(aboutHold: response(429, limit))
        #expect(error == .tooManyHolds(reason: "wait", retryAfterSeconds: nil))
    }
}
