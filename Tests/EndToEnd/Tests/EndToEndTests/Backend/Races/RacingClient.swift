import Foundation
import JSON
import Synchronization
import SystemTestSupport

/// A client that sends random bookings, holds, moves, and cancellations, each when the previous
/// request has been answered.
struct RacingClient {
    private let number: Int
    private let round: Int
    private let connection: TCPConnection
    private let known: KnownAppointments
    private var generator: SeededGenerator
    private var count = 0
    /// The hold that the client has neither booked nor released.
    private var held: (id: String, booking: RaceBooking)?

    /// The appointments that any of the clients can change. All clients share one object.
    final class KnownAppointments: Sendable {
        private let versions = Mutex<[String: Int]>([:])

        func random(using generator: inout SeededGenerator) -> (id: String, version: Int)? {
            // Sorted, because the order of a dictionary differs from run to run.
            let all = versions.withLock { $0.sorted { $0.key < $1.key } }
            return all.randomElement(using: &generator).map { ($0.key, $0.value) }
        }

        func update(_ appointment: RaceAppointment) {
            versions.withLock { versions in
                if appointment.version < versions[appointment.id] ?? 0 { return }
                versions[appointment.id] = appointment.isCancelled ? nil : appointment.version
            }
        }
    }

    /// Returns nil if the connection cannot be established.
    init?(
        _ number: Int,
        _ round: Int,
        _ port: UInt16,
        _ known: KnownAppointments,
        _ generator: SeededGenerator
    ) {
        guard let connection = try? TCPConnection(port: port) else { return nil }
        (self.number, self.round, self.connection) = (number, round, connection)
        (self.known, self.generator) = (known, generator)
    }

    private var phone: String { HTTPRequest.phone(round * 1_000 + number) }

    /// The idempotency key of its next booking.
    private var key: String { "\(round)-\(number)-\(count)" }

    /// Sends the next request, and waits for the response.
    mutating func sendNext() -> RaceRecord.Entry {
        let entry = send(nextAction())
        if case .hold(let booking) = entry.action, entry.response?.status == 201 {
            held = entry.holdID.map { ($0, booking) }
        }
        if let changed = try? RaceAppointment(entry.response) { known.update(changed) }
        return entry
    }

    private mutating func nextAction() -> RaceRecord.Action {
        count += 1
        let choice = Int.random(in: 0..<10, using: &generator)
        if choice < 4, let held {
            self.held = nil
            return choice == 0
                ? .release(held.id) : .bookHeld(held.booking, held.id, key: key)
        }
        if choice < 4 { return .hold(.random(in: round, using: &generator)) }
        guard choice < 8, let appointment = known.random(using: &generator) else {
            return .book(.random(in: round, using: &generator), key: key)
        }
        let (id, version) = appointment
        if choice < 6 { return .cancel(id, version) }
        return .move(id, version, to: RaceBooking.randomStart(in: round, using: &generator))
    }

    /// Holds a time, books it, moves and cancels the appointment, and holds and releases a time.
    /// Stops if a request is not answered.
    mutating func sendOneOfEach() throws -> [RaceRecord.Entry] {
        var entries: [RaceRecord.Entry] = []
        func answer(to action: RaceRecord.Action) -> RaceRecord.Entry? {
            entries.append(send(action))
            return entries.last?.response == nil ? nil : entries.last
        }
        let booking = RaceBooking.random(in: round, using: &generator)
        let start = RaceBooking.randomStart(in: round, using: &generator)
        guard let hold = answer(to: .hold(booking))?.holdID,
            let booked = answer(to: .bookHeld(booking, hold, key: key)),
            let id = try RaceAppointment(booked.response)?.id,
            answer(to: .move(id, 1, to: start)) != nil, answer(to: .cancel(id, 2)) != nil,
            let hold = answer(to: .hold(booking))?.holdID
        else { return entries }
        _ = answer(to: .release(hold))
        return entries
    }

    private func send(_ action: RaceRecord.Action) -> RaceRecord.Entry {
        let request = request(for: action)
        connection.send(request.text)
        return RaceRecord.Entry(action: action, request: request, response: connection.response())
    }

    private func request(for action: RaceRecord.Action) -> HTTPRequest {
        switch action {
        case .book(let booking, let key):
            return .json("POST", "/appointments", "{\(booking.members(phone: phone))}", key: key)
        case .bookHeld(let booking, let id, let key):
            let body = #"{\#(booking.members(phone: phone)),"holdId":"\#(id)"}"#
            return .json("POST", "/appointments", body, key: key)
        case .hold(let booking):
            let body = #"{\#(booking.members(phone: phone)),"minutes":15}"#
            return .json("POST", "/holds", body)
        case .release(let id): return .json("DELETE", "/holds/\(id)", "")
        case .move(let id, let version, let start):
            let body = #"{"appointmentTime":"\#(RaceBooking.time(start))"}"#
            let match = "If-Match: \"\(version)\"\r\n"
            return .json("PATCH", "/appointments/\(id)", body, fields: match)
        case .cancel(let id, let version):
            let match = "If-Match: \"\(version)\"\r\n"
            return .json("DELETE", "/appointments/\(id)", "", fields: match)
        }
    }
}
