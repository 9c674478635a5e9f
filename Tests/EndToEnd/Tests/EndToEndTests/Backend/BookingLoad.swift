import Foundation
import Synchronization
import SystemTestSupport
import Testing

/// Bookings with keys from 64 clients in loops, during which the backend is ended.
struct BookingLoad {
    static let clients = 64

    /// The numbers of the bookings.
    let numbers: Range<Int>
    private(set) var exchanges: [LoadClient.Exchange] = []
    /// How many requests had been sent when the backend was ended.
    private(set) var sentBeforeEnd = 0

    /// Books, and calls `end` once when `count` bookings have been answered.
    init(
        _ numbers: Range<Int>,
        at backend: BackendProcess,
        afterAnswers count: Int,
        end: @escaping @Sendable () -> Void
    ) async {
        self.numbers = numbers
        let sent = Mutex(0)
        let client = LoadClient(port: backend.port.number, connections: Self.clients)
        exchanges = await client.run(numbers.map { .booking($0) }) { progress in
            guard progress.answered == count else { return }
            sent.withLock { $0 = progress.sent }
            end()
        }
        sentBeforeEnd = sent.withLock(\.self)
    }

    var sent: [LoadClient.Exchange] { exchanges.filter { $0.sentAfter != nil } }

    /// The number of confirmed bookings.
    var confirmed: Int { exchanges.filter { $0.response?.status == 201 }.count }

    /// Expects that every confirmed booking is among `appointments`, and none twice. A backend that is
    /// ending may also reject a request as retryable.
    func expectConfirmed(in appointments: [ListedAppointment], _ step: String) throws {
        let counts = Dictionary(appointments.map { ($0.phone, 1) }, uniquingKeysWith: +)
        for (number, exchange) in zip(numbers, exchanges) {
            let count = counts[HTTPRequest.phone(number)] ?? 0
            #expect(count <= 1, "\(step): \(exchange.request.key) exists \(count) times")
            guard let response = exchange.response else { continue }
            #expect([201, 503].contains(response.status), "\(step): \(response.text)")
            let isConfirmed = response.status == 201
            #expect(count == (isConfirmed ? 1 : 0), "\(step): \(exchange.request.key)")
        }
    }

    /// Repeats the requests that were sent under the same keys, and expects the same appointments.
    func expectRepeatable(at backend: BackendProcess, _ step: String) async throws {
        let client = LoadClient(port: backend.port.number, connections: Self.clients)
        let repeated = await client.run(sent.map(\.request))
        for (first, second) in zip(sent, repeated) {
            let response = try #require(second.response, "\(step): \(second.request.key)")
            #expect(response.status == 201, "\(step): \(response.text)")
            guard let confirmed = first.response, confirmed.status == 201 else { continue }
            let id = try ListedAppointment(response.object()).id
            #expect(try ListedAppointment(confirmed.object()).id == id, "\(step)")
        }
        let listed = try await backend.appointments().map(\.phone)
        #expect(listed.count == Set(listed).count, "\(step): an appointment exists twice")
        let phones = zip(numbers, exchanges).filter { $1.sentAfter != nil }
            .map { HTTPRequest.phone($0.0) }
        #expect(Set(listed).isSuperset(of: phones), "\(step): an appointment is missing")
    }
}
