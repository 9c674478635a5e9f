import Foundation
import JSON
import SystemTestSupport
import Testing

/// What the clients of a race sent and received.
struct RaceRecord: Sendable {
    enum Action: Sendable {
        case book(RaceBooking, key: String)
        /// Books what the hold with this id reserves.
        case bookHeld(RaceBooking, String, key: String)
        case hold(RaceBooking)
        case release(String)
        /// Moves the appointment with this id and version to a new start.
        case move(String, Int, to: Int)
        case cancel(String, Int)
    }

    struct Entry: Sendable {
        let action: Action
        let request: HTTPRequest
        /// The response; nil if the backend ended before it answered.
        var response: ReceivedResponse?

        /// The id of the hold in the response.
        var holdID: String? {
            guard case .hold = action, response?.status == 201 else { return nil }
            return try? response?.object().required("id").string()
        }
    }

    let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    /// Runs `clients` clients at the same time, each until it has sent `requests` requests or one is
    /// not answered. Different rounds have different clients and times. `onAnswer` gets the number of
    /// answered requests.
    init(
        clients: Int,
        requests: Int,
        round: Int = 0,
        at backend: BackendProcess,
        _ generator: inout SeededGenerator,
        onAnswer: @escaping @Sendable (Int) -> Void = { _ in }
    ) async {
        let (known, port) = (RacingClient.KnownAppointments(), backend.port.number)
        let generators = (0..<clients).map { _ in SeededGenerator(splitting: &generator) }
        let answers = RequestCounter()
        entries = await withTaskGroup(of: [Entry].self) { group in
            for (number, generator) in generators.enumerated() {
                group.addTask {
                    await onThread {
                        guard var client = RacingClient(number, round, port, known, generator)
                        else { return [] }
                        var entries: [Entry] = []
                        while entries.count < requests {
                            entries.append(client.sendNext())
                            if entries.last?.response == nil { break }
                            onAnswer(answers.next())
                        }
                        return entries
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Expects that the backend agrees with the answers, and that nothing is taken twice. Returns what is
    /// taken.
    @discardableResult
    func expectComplete(
        at backend: BackendProcess,
        _ database: String,
        _ step: String
    ) async throws -> [TakenTime] {
        expectKnownAnswers(step)
        let listed = try await backend.listedAppointments { try RaceAppointment($0) }
        try expectConfirmed(in: listed, step)
        let taken = listed.filter { !$0.isCancelled }.map(\.taken) + (try heldTimes())
        #expect(taken.conflicts.isEmpty, "\(step)")
        try await DatabaseReader.expectConsistentOccupancy(in: database, step)
        return taken
    }

    /// Expects that each answer is one that its request can have in a race.
    private func expectKnownAnswers(_ step: String) {
        for entry in entries {
            guard let response = entry.response else { continue }
            let expected =
                switch entry.action {
                case .book: [201, 409]
                // What is held cannot be taken by others.
                case .bookHeld: [201]
                case .hold: [201, 409]
                case .release: [204]
                case .move: [200, 404, 409, 412]
                case .cancel: [200, 404, 412]
                }
            #expect(
                expected.contains(response.status),
                "\(step): \(entry.request.text): \(response.text)"
            )
        }
    }

    /// Expects that `listed` agrees with the answers: each confirmed booking exists once, each
    /// rejected one does not exist, and each appointment is as the last change confirmed it.
    private func expectConfirmed(in listed: [RaceAppointment], _ step: String) throws {
        let listedKeys = Dictionary(grouping: listed, by: \.key).mapValues(\.count)
        var confirmed: [String: [RaceAppointment]] = [:]
        var unanswered: [String: Int] = [:]
        for entry in entries {
            if let appointment = try RaceAppointment(entry.response) {
                confirmed[appointment.id, default: []].append(appointment)
            }
            switch entry.action {
            case .book(_, let key), .bookHeld(_, _, let key):
                let count = listedKeys[key] ?? 0
                let expected = entry.response.map { $0.status == 201 ? 1...1 : 0...0 } ?? 0...1
                #expect(expected.contains(count), "\(step): \(key) exists \(count) times")
            case .move(let id, _, _), .cancel(let id, _):
                if entry.response == nil { unanswered[id, default: 0] += 1 }
            case .hold, .release: break
            }
        }
        let listedByID = Dictionary(grouping: listed, by: \.id)
        for (id, versions) in confirmed {
            #expect(Set(versions.map(\.version)).count == versions.count, "\(step): \(versions)")
            let last = try #require(versions.max { $0.version < $1.version })
            let found = try #require(listedByID[id], "\(step): \(last) is missing")
            #expect(found.count == 1, "\(step): \(id) is listed \(found.count) times")
            let later = found[0].version - last.version
            #expect((0...unanswered[id, default: 0]).contains(later), "\(step): \(found), \(last)")
            if later == 0 { #expect(found[0].text == last.text, "\(step)") }
        }
    }

    /// The times of the holds that were confirmed and neither booked nor released.
    private func heldTimes() throws -> [TakenTime] {
        var held: [String: TakenTime] = [:]
        for entry in entries {
            guard case .hold(var booking) = entry.action, let id = entry.holdID else { continue }
            booking.staffID = try entry.response?.object().optional("staffId")?.string()
            held[id] = TakenTime(id, booking)
        }
        for case .release(let id) in entries.map(\.action) { held[id] = nil }
        for case .bookHeld(_, let id, _) in entries.map(\.action) { held[id] = nil }
        return Array(held.values)
    }

    /// The bookings without an answer.
    var unansweredBookings: [HTTPRequest] {
        entries.compactMap { $0.response == nil && !$0.request.key.isEmpty ? $0.request : nil }
    }
}
