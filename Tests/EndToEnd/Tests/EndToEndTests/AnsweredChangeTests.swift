import JSON
import Synchronization
import Testing

/// An answer to a booking or change, whether the server carries out the request, and whether the answer
/// is a proxy's.
struct AnsweredChange: Sendable, CustomTestStringConvertible {
    enum Operation: String, CaseIterable {
        case book, reschedule, cancel
        var method: String { "appointments/\(rawValue)" }
    }

    enum Content: String, CaseIterable {
        case nothing, webPage, plainObject, problem, serverError, otherBooking

        /// The body of the answer.
        var text: String {
            switch self {
            case .nothing: ""
            case .webPage: "<!DOCTYPE html><html><body>no</body></html>"
            case .plainObject: #"{"requestId":"5f1c","handled":1}"#
            case .problem: #"{"error":"invalidBooking","message":"no"}"#
            case .serverError: #"{"error":{"code":"E17","message":"The request was refused."}}"#
            case .otherBooking:
                #"{"id":"o1","salonId":"\#(Sample.salon)","phone":"+49 40 7654321","#
                    + #""appointmentTime":"2099-01-01T12:00:00+0000"}"#
            }
        }
    }

    var operation: Operation
    var status: Int
    var content: Content
    var isCarriedOut: Bool
    var isByProxy: Bool

    var testDescription: String {
        "\(operation), \(status) with \(content), \(isCarriedOut ? "" : "not ")carried out"
            + (isByProxy ? ", by a proxy" : "")
    }

    /// The statuses of the table, with a content each.
    private static let answers: [(Int, Content)] = [
        (200, .nothing), (201, .otherBooking), (202, .plainObject), (302, .webPage),
        (307, .nothing),
        (400, .webPage), (403, .webPage), (404, .nothing), (406, .plainObject), (409, .serverError),
        (410, .nothing), (413, .webPage), (422, .problem), (429, .plainObject), (499, .webPage),
        (502, .webPage), (504, .serverError), (520, .nothing),
    ]

    /// The answers to each operation, carried out or not, by the server or a proxy in turn. A rejection
    /// of a booking in our contract's form is never the answer to a success.
    static let all = answers.enumerated().flatMap { index, answer in
        Operation.allCases.enumerated().compactMap { number, operation in
            let isCarriedOut = (index + number) % 2 == 0 && answer.1 != .problem
            return AnsweredChange(
                operation: operation,
                status: answer.0,
                content: answer.1,
                isCarriedOut: isCarriedOut,
                isByProxy: (index / 2 + number) % 2 == 0
            )
        }
    }
}

@Suite("Whatever answers a change over sockets", .throttled, .timeLimit(.minutes(30)))
struct AnsweredChangeTests {
    @Test(
        "no outcome is false, and nothing is done twice, also if the call is repeated",
        arguments: AnsweredChange.all
    )
    func outcome(change: AnsweredChange) async throws {
        let run = try await ChangeRun(change)
        for call in ["the first call", "the second call"] {
            let (outcome, text) = try await run.call()
            #expect(run.executions <= 1, "\(call) sends it again: \(text)")
            switch outcome {
            case .done: #expect(run.isDone, "\(call): \(text)")
            case .notDone: #expect(!run.isDone || run.isGone(text), "\(call): \(text)")
            case .doubt: break
            }
        }
    }

    @Test("a proxy that refuses a tunnel has sent nothing", arguments: [403, 407, 502, 503])
    func refusedTunnel(status: Int) async throws {
        let proxy = try ForwardingProxy { _ in .answer(status, body: "no", forwarding: false) }
        let client = try Novablend(["--base-url", "https://salons.example", "--proxy", proxy.url])
        let fixture = try BookingFixture()
        let failure = try await client.failure("appointments/book", fixture.booking().params)
        #expect(failure.name != "bookingInDoubt", "\(failure)")
        #expect(try await client.openKeys().isEmpty)
        #expect(proxy.requestLines.contains("CONNECT salons.example:443 HTTP/1.1"))
    }
}

/// A change that gets an answer, and the server that carries it out or not.
private final class ChangeRun: Sendable {
    enum Outcome { case done, notDone, doubt }

    private let change: AnsweredChange
    private let fixture: BookingFixture
    private let proxy: ForwardingProxy
    private let client: Novablend
    private let isAnswered: AnswerOnce
    private let id, time, params: String

    /// Lets the first change after it is armed get the answer.
    private final class AnswerOnce: Sendable {
        private let isArmed = Mutex(false)

        func arm() { isArmed.withLock { $0 = true } }

        func take() -> Bool {
            isArmed.withLock { isArmed in
                defer { isArmed = false }
                return isArmed
            }
        }
    }

    init(_ change: AnsweredChange) async throws {
        self.change = change
        let isAnswered = AnswerOnce()
        self.isAnswered = isAnswered
        let (status, text, isCarriedOut) = (change.status, change.content.text, change.isCarriedOut)
        let isWebPage = change.content == .webPage
        let type = isWebPage ? "text/html" : "application/json"
        let isByProxy = change.isByProxy
        fixture = try BookingFixture { request, state in
            guard !isByProxy, request.method != "GET", isAnswered.take() else { return nil }
            if isCarriedOut { _ = state.process(request) }
            return .reply(status, text, headers: ["Content-Type": type])
        }
        proxy = try ForwardingProxy { request in
            guard isByProxy, request.method != "GET", isAnswered.take() else { return .forward }
            return .answer(
                status,
                body: text,
                headers: ["Content-Type: \(type)"],
                forwarding: isCarriedOut
            )
        }
        client = try Novablend(
            ["--base-url", fixture.server.url] + (isByProxy ? ["--proxy", proxy.url] : [])
        )
        switch change.operation {
        case .book:
            id = ""
            (time, params) = fixture.booking()
        case .reschedule, .cancel:
            (id, time) = try await fixture.booked(through: client)
            params = fixture.change(of: id, to: time, change.operation.method)
        }
        isAnswered.arm()
    }

    /// Makes the call, and returns its outcome and the whole reply.
    func call() async throws -> (Outcome, String) {
        let reply = try await client.call(change.operation.method, params)
        guard let error = try reply["error"]?.object() else { return (.done, reply.text) }
        let isDoubt = try error.required("code").integer() == 1_206
        return (isDoubt ? .doubt : .notDone, reply.text)
    }

    /// How many requests for the change a server that ignores keys and versions would have carried out.
    var executions: Int {
        let method =
            switch change.operation {
            case .book: "POST"
            case .reschedule: "PATCH"
            case .cancel: "DELETE"
            }
        let received = fixture.server.requests(method).count
        let isIgnored = !change.isByProxy && !change.isCarriedOut
        return received - (isIgnored ? 1 : 0)
    }

    var isDone: Bool {
        let state = fixture.server.state
        return switch change.operation {
        case .book: state.count(at: time) > 0
        case .reschedule: state.entries.first?.time == time
        case .cancel: state.entries.first?.isCancelled == true
        }
    }

    /// Whether the reply says that the appointment was cancelled before the call.
    func isGone(_ reply: String) -> Bool {
        change.operation == .cancel && reply.contains("it was cancelled")
    }
}
