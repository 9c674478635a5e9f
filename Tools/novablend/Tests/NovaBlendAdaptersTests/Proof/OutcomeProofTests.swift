import Contract
import Domain
import DomainTestSupport
import Networking
import NovaBlendAccounts
import Persistence
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

/// Every status with every content as the answer to a booking, a move, and a cancellation, whether it
/// was carried out or not, and whether the server honors keys or not.
@Suite("Whatever answers a booking or a change", .timeLimit(.minutes(10)))
struct OutcomeProofTests {
    enum Operation: String, CaseIterable {
        case book, move, cancel
    }

    /// What the caller does after the first call.
    enum Continuation: String, CaseIterable {
        case sameCall = "then the same call"
        case sameKey = "then the same call with the key"
        case resolved = "then resolve and the same call"
        case resolvedKey = "then resolve and the same call with the key"
    }

    struct Case {
        var answer: Answer
        var operation: Operation
        var execution: ModelServer.Execution
        var honorsKeys: Bool
        var continuation: Continuation

        var variant: String {
            "\(honorsKeys ? "keys honored" : "keys ignored") \(continuation.rawValue)"
        }
    }

    /// Statuses for which the specification has rules of their own.
    private static let special: Set = [
        200, 201, 202, 302, 307, 401, 403, 404, 408, 409, 410, 422, 429, 502, 503, 504,
    ]

    /// All cases that can occur. Those of the special statuses occur with both servers and every
    /// continuation, and those of the others take turns.
    private static let cases: [Case] = Answer.all.flatMap { answer in
        Operation.allCases.flatMap { operation in
            ModelServer.Execution.allCases.filter {
                canOccur(answer, to: operation, $0)
            }.flatMap { execution in
                variants(of: answer).map { honorsKeys, continuation in
                    Case(
                        answer: answer,
                        operation: operation,
                        execution: execution,
                        honorsKeys: honorsKeys,
                        continuation: continuation
                    )
                }
            }
        }
    }

    /// Whether the server honors keys, and how the case continues.
    private static func variants(of answer: Answer) -> [(Bool, Continuation)] {
        let all = Continuation.allCases
        if special.contains(answer.status) {
            return all.flatMap { continuation in [false, true].map { ($0, continuation) } }
        }
        return [(answer.turn % 2 == 0, all[answer.turn / 2 % all.count])]
    }

    /// Whether a server may carry out a request that gets this answer. The specification names the
    /// answers that exclude it.
    private static func canOccur(
        _ answer: Answer,
        to operation: Operation,
        _ execution: ModelServer.Execution
    ) -> Bool {
        switch execution {
        case .never: true
        // A proxy may send a change, or a booking that gets 409, twice. No other rejection can have been
        // made from a success.
        case .before: !answer.invitesRepetition && !(operation == .book && answer.isFinal)
        // The answer is a proxy's that did not wait, or an acceptance.
        case .later:
            (200...299).contains(answer.status) || [408, 499].contains(answer.status)
                || (500...599).contains(answer.status) && answer.status != 501
                    && !answer.isContractual
        }
    }

    @Test("no outcome is false, and nothing is done twice, also if the call is repeated")
    func outcomes() async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let table = try await failures(in: Self.cases) { proof, number, table in
            let run = OutcomeRun(proof, in: directory, "\(number)")
            defer { try? directory.remove("\(number)") }
            if let problem = try await Self.problem(of: run) {
                let name = "\(proof.operation) that is \(proof.execution.rawValue)"
                table.add(name, proof.answer, proof.variant, problem)
            }
        }
        #expect(table.count == 0, "\(table.text)")
    }

    /// What is wrong in a case; nil if nothing is.
    private static func problem(of run: OutcomeRun) async throws -> String? {
        let first = await run.call()
        run.server.settle()
        if let problem = run.problem(with: first) { return "the first call \(problem)" }
        if first == .done { return nil }
        let (isKnown, problem) = try await run.resolve()
        if let problem { return problem }
        // Whoever knows that it is done, and repeats the call without its key, wants it twice.
        if isKnown, run.key == nil { return nil }
        let second = await run.call()
        if let problem = run.problem(with: second, isRepeated: true) {
            return "the first call is \(first), the second one \(problem)"
        }
        if first == .notDone, second != .done, run.proof.execution == .never {
            return "it is not done, and a second call is \(second)"
        }
        return nil
    }

    /// Final rejections, and confirmations by the server itself.
    private static let decided: [(answer: Answer, operation: Operation)] = [
        (Answer(status: 400, content: .problem), .book),
        (Answer(status: 401, content: .problem), .book),
        (Answer(status: 404, content: .problem), .book),
        (Answer(status: 409, content: .problem), .book),
        (Answer(status: 422, content: .problem), .book),
        (Answer(status: 429, content: .problem), .book),
        (Answer(status: 400, content: .serverError), .book),
        (Answer(status: 422, content: .serverError), .book),
        (Answer(status: 403, content: .webPage), .book),
        (Answer(status: 307, content: .nothing), .book),
        (Answer(status: 412, content: .problem), .move),
        (Answer(status: 422, content: .problem), .move),
        (Answer(status: 409, content: .problem), .move),
        (Answer(status: 403, content: .problem), .cancel),
        (Answer(status: 422, content: .serverError), .cancel),
    ]

    @Test("it is reported as not done if the answer or a lookup proves that", arguments: decided)
    func rejected(answer: Answer, operation: Operation) async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        for honorsKeys in [false, true] {
            let proof = Case(
                answer: answer,
                operation: operation,
                execution: .never,
                honorsKeys: honorsKeys,
                continuation: .sameCall
            )
            let run = OutcomeRun(proof, in: directory, "\(honorsKeys)")
            #expect(await run.call() == .notDone)
            #expect(run.server.changes == 1 && run.server.executions == 0)
        }
    }

    @Test(
        "it is reported as done if the server shows it, and is sent once",
        arguments: Operation.allCases
    )
    func done(operation: Operation) async throws {
        let directory = try TemporaryDirectory(inMemory: true)
        let answers = [
            Answer(status: 201, content: .nothing), Answer(status: 204, content: .nothing),
            Answer(status: 403, content: .webPage), Answer(status: 504, content: .webPage),
            Answer(status: 502, content: .nothing), Answer(status: 302, content: .nothing),
        ]
        for (number, answer) in answers.enumerated() {
            let proof = Case(
                answer: answer,
                operation: operation,
                execution: .before,
                honorsKeys: false,
                continuation: .sameCall
            )
            let run = OutcomeRun(proof, in: directory, "\(number)")
            #expect(await run.call() == .done, "\(answer)")
            #expect(run.server.changes == 1 && run.server.executions == 1, "\(answer)")
        }
    }
}

extension Answer {
    /// Whether this answer to the first attempt of a booking proves that nothing was booked.
    fileprivate var isFinal: Bool {
        if isContractual { return status != 409 }
        return content == .serverError && [400, 404, 410, 422].contains(status)
    }
}

/// The use cases with their real adapters and files, and a server that a case describes.
private struct OutcomeRun {
    enum Outcome { case done, notDone, doubt }

    let server: ModelServer
    let proof: OutcomeProofTests.Case
    private let clock = ManualClock()
    private let booking: BookAppointment

    /// - Parameter name: The name of the directory in `directory` that contains the files of this run.
    init(_ proof: OutcomeProofTests.Case, in directory: TemporaryDirectory, _ name: String) {
        self.proof = proof
        server = ModelServer(honorsKeys: proof.honorsKeys, proof.answer, proof.execution)
        var endpoints = Endpoints()
        endpoints.appointments = ModelServer.url
        let counter = FileChangeCounter(directory: directory.path, subdirectory: name)
        booking = BookAppointment(
            server: HTTPBookingAPI(
                endpoints: endpoints,
                sender: server,
                reader: server,
                limits: ListLimits(maximumBytes: 1 << 20),
                credential: "none",
                counter: counter
            ),
            journal: FileBookingJournal(
                directory: directory.path,
                subdirectory: name,
                clock: clock
            ),
            cache: StoredResource<AppointmentListCodec>(
                name: "appointments",
                url: ModelServer.url,
                store: FileSnapshotStore(directory: directory.path, subdirectory: name)
            ),
            counter: counter,
            times: ReadSalonTime(
                salons: SalonDirectoryStub(.unknown),
                zones: ZonesStub(),
                clock: clock
            ),
            clock: clock,
            pauses: PausesSpy(),
            makeKey: SequentialKeys().makeKey
        )
    }

    /// The key that the caller passes.
    var key: String? { [.sameKey, .resolvedKey].contains(proof.continuation) ? "k" : nil }

    /// Makes the call of the case.
    func call() async -> Outcome {
        do {
            switch proof.operation {
            case .book: _ = try await booking.book(Samples.booking(hours: 1), key: key)
            case .move:
                let time = RequestedTime.wallClock(Samples.booking(hours: 2).time)
                try await change(.reschedule(to: time))
            case .cancel: try await change(.cancel)
            }
            return .done
        } catch {
            if case .inDoubt = error { return .doubt }
            return .notDone
        }
    }

    private func change(_ kind: ChangeRequest.Kind) async throws(Failure) {
        _ = try await ChangeAppointment(booking).change(
            ChangeRequest(id: "a1", kind: kind),
            key: key
        )
    }

    /// What is wrong with an outcome; nil if nothing is.
    func problem(with outcome: Outcome, isRepeated: Bool = false) -> String? {
        // Without its key, a second request to move an appointment is a new one.
        let isNewMove = isRepeated && proof.operation == .move && key == nil
        if server.executions > (isNewMove ? 2 : 1) { return "does it twice (it is \(outcome))" }
        switch outcome {
        case .done: return isDone ? nil : "is done, but the server has not done it"
        case .doubt: return nil
        case .notDone:
            // An appointment that was cancelled before cannot be cancelled again.
            if isRepeated, proof.operation == .cancel { return nil }
            return isDone ? "is not done, but the server has done it" : nil
        }
    }

    /// Resolves if the case says so. Returns whether it reports that the request was done, and what is
    /// wrong with that; nil if nothing is.
    func resolve() async throws -> (isKnown: Bool, problem: String?) {
        guard [.resolved, .resolvedKey].contains(proof.continuation) else { return (false, nil) }
        clock.advance(bySeconds: BookingIntent.graceSeconds + 1)
        switch try await ResolveBookings(booking).resolve().first?.outcome {
        case .done: return (true, isDone ? nil : "resolve finds what the server has not done")
        case .notDone, .notFound:
            return (false, isDone ? "resolve does not find what was done" : nil)
        case .discarded: return (false, "resolve discards it")
        case .inDoubt, nil: return (false, nil)
        }
    }

    private var isDone: Bool {
        switch proof.operation {
        case .book: server.bookings > 0
        case .move: server.isMoved
        case .cancel: server.isCancelled
        }
    }
}
