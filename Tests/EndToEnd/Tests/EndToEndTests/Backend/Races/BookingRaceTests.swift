import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Many clients book the same times", .throttled, .timeLimit(.minutes(10)))
struct BookingRaceTests {
    private func backend() async throws -> (BackendProcess, database: String, TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        let backend = try await BackendProcess(database: database)
        for salon in RaceSalon.allCases {
            let response = try await backend.response(to: salon.creation)
            try #require(response.status == 201, "\(response.text)")
        }
        return (backend, database, directory)
    }

    @Test(
        "of 500 clients, as many get a slot as there are staff members or seats, the others the next slots",
        arguments: RaceSalon.allCases
    )
    func oneSlot(salon: RaceSalon) async throws {
        let (backend, database, directory) = try await backend()
        let booking = RaceBooking(salon: salon, start: 720, serviceID: "cut")
        let requests = (0..<500).map { number in
            let body = "{\(booking.members(phone: HTTPRequest.phone(number)))}"
            return HTTPRequest.json("POST", "/appointments", body, key: "\(number)")
        }
        let client = LoadClient(port: backend.port.number, connections: requests.count)
        var booked: [RaceAppointment] = []
        var alternatives: Set<[Int]> = []
        for exchange in await client.run(requests) {
            let response = try #require(exchange.response, "\(exchange.request.key)")
            if let appointment = try RaceAppointment(response) {
                booked.append(appointment)
                continue
            }
            #expect(response.status == 409, "\(response.text)")
            let times = try response.object().required("alternatives").array()
                .map { try RaceBooking.minutes(of: $0.string()) }
            alternatives.insert(times)
        }
        // The buffer after the service takes part of the next slot.
        #expect(alternatives == [[780, 810, 840]])
        #expect(booked.count == salon.capacity)
        if salon == .staffed {
            #expect(Set(booked.map(\.taken.staffID)) == Set(RaceSalon.staff))
            #expect(booked.allSatisfy { $0.text.contains(#""staffAssigned":true"#) })
        }
        let listed = try await backend.listedAppointments { try RaceAppointment($0) }
        #expect(Set(listed.map(\.text)) == Set(booked.map(\.text)))
        try await DatabaseReader.expectConsistentOccupancy(in: database, "after the race")
        withExtendedLifetime(directory) {}
    }

    @Test("holds, bookings, moves, and cancellations of 40 clients take nothing twice")
    func mixed() async throws {
        let (backend, database, directory) = try await backend()
        var generator = SeededGenerator()
        let seed = generator.description
        let race = await RaceRecord(clients: 40, requests: 60, at: backend, &generator)
        #expect(race.entries.count == 2_400 && race.entries.allSatisfy { $0.response != nil })
        let taken = try await race.expectComplete(at: backend, database, seed)
        for salon in RaceSalon.allCases {
            try await expectFree(after: taken, at: salon, backend, seed)
        }
        withExtendedLifetime(directory) {}
    }

    /// Expects that each slot states how many staff members or seats `taken` leaves free.
    private func expectFree(
        after taken: [TakenTime],
        at salon: RaceSalon,
        _ backend: BackendProcess,
        _ seed: String
    ) async throws {
        let range = "start=2040-01-02T00:00:00Z&end=2040-01-04T00:00:00Z"
        let path = "/salons/\(salon.rawValue)/availability?\(range)&serviceId=cut"
        let slots = try await backend.get(path).object().required("slots").array()
        #expect(slots.count == 96)
        for slot in slots {
            let slot = try slot.object()
            let start = try RaceBooking.minutes(of: slot.required("start").string())
            let time = TakenTime("", RaceBooking(salon: salon, start: start, serviceID: "cut"))
            let free = try slot.required("free").integer()
            #expect(free == taken.free(at: salon, time.minutes), "\(seed): \(slot.text)")
        }
    }
}
