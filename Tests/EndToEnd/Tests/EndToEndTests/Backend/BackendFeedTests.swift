import Foundation
import SystemTestSupport
import Testing

@Suite("The backend's feed of changes", .throttled, .timeLimit(LongTests.timeLimit))
struct BackendFeedTests {
    @Test("a copy that follows a backend that is killed while clients book equals the lists")
    func killed() async throws {
        var generator = SeededGenerator()
        let seed = generator.description
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        var backend = try await BackendProcess(database: database)
        var follower = try await FeedFollower(backend)
        for round in 0..<(LongTests.isEnabled ? 100 : 5) {
            let running = backend
            let count = Int.random(in: 1...300, using: &generator)
            let numbers = (round * 2_048)..<(round * 2_048 + 2_048)
            async let load = BookingLoad(numbers, at: running, afterAnswers: count) {
                running.child.kill()
            }
            // Until the backend is killed.
            while try await follower.follow(running) {}
            let step = "\(seed), round \(round)"
            #expect(await load.confirmed >= count, "\(step)")
            backend = try await BackendProcess(database: database)
            #expect(try await follower.follow(backend), "\(step)")
            try await follower.expectCurrent(backend, step)
        }
        await backend.stop()
    }

    @Test("a copy follows changes by two backends with the same file, one of which is killed")
    func twoBackends() async throws {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        let backend = try await BackendProcess(database: database)
        let other = try await BackendProcess(database: database)
        var follower = try await FeedFollower(backend)
        async let load = BookingLoad(0..<1_024, at: backend, afterAnswers: 1_024) {}
        async let otherLoad = BookingLoad(1_024..<4_096, at: other, afterAnswers: 300) {
            other.child.kill()
        }
        while !other.child.hasEnded { #expect(try await follower.follow(backend)) }
        #expect(await load.confirmed > 0)
        #expect(await otherLoad.confirmed >= 300)
        #expect(try await follower.follow(backend))
        try await follower.expectCurrent(backend, "at the end")
        await backend.stop()
    }

    @Test(
        "10,000 waiting clients are answered by one booking, without a thread for each",
        .enabled(if: DescriptorLimit.allows(11_000), "the hard limit on descriptors is too low"),
        .openingManyConnections
    )
    func tenThousandClients() async throws {
        let backend = try await BackendProcess()
        let cursor = try await FeedFollower.cursor(of: backend)
        let path = "/changes?since=\(cursor)&wait=25"
        let client = LoadClient(port: backend.port.number, connections: 10_000)
        async let exchanges = client.run(Array(repeating: .get(path), count: 10_000))
        try await waitForDescriptors(of: backend) { $0 >= 10_000 }
        let threads = try FileManager.default.contentsOfDirectory(
            atPath: "/proc/\(backend.child.processID)/task"
        )
        #expect(threads.count < 100)
        let booked = try await backend.response(to: .booking(0))
        #expect(booked.status == 201)
        let bodies = await exchanges.map { $0.response?.text }
        let answered = bodies.filter { $0?.contains(booked.text) == true }
        // On a busy machine, the first clients can have waited 25 s before the last one connects.
        let unchanged = bodies.count { $0?.contains(cursor) == true }
        #expect(Set(answered).count == 1 && answered.count + unchanged == 10_000)
        await backend.stop()
    }

    @Test("clients that disconnect while they wait are noticed, and others wait on")
    func disconnected() async throws {
        let backend = try await BackendProcess()
        let cursor = try await FeedFollower.cursor(of: backend)
        let port = backend.port.number
        let request = HTTPRequest.get("/changes?since=\(cursor)&wait=25").text
        let other = try TCPConnection(port: port)
        other.send(request)
        do {
            let waiting = (0..<300).compactMap { _ in try? TCPConnection(port: port) }
            #expect(waiting.allSatisfy { $0.send(request) })
            try await waitForDescriptors(of: backend) { $0 >= 300 }
        }
        try await waitForDescriptors(of: backend) { $0 < 100 }
        #expect(try await backend.response(to: .booking(0)).status == 201)
        let response = await onThread { other.response() }
        #expect(response?.text.contains(HTTPRequest.phone(0)) == true)
        await backend.stop()
    }

    @Test("after SIGTERM, waiting clients get their own cursor, and the backend exits with 0")
    func terminated() async throws {
        let backend = try await BackendProcess()
        let cursor = try await FeedFollower.cursor(of: backend)
        let request = HTTPRequest.get("/changes?since=\(cursor)&wait=25").text
        let connections = (0..<300).compactMap { _ in try? TCPConnection(port: backend.port.number)
        }
        #expect(connections.allSatisfy { $0.send(request) })
        try await waitForDescriptors(of: backend) { $0 >= 300 }
        await backend.stop()
        let responses = await onThread { connections.map { $0.response() } }
        for response in responses {
            #expect(response?.status == 200 && response?.closesConnection == true)
            let body =
                #"{"cursor":"\#(cursor)","more":false,"salons":[],"appointments":[],"deleted":[]}"#
            #expect(response?.text == body)
        }
    }

    /// Waits until the number of descriptors that the backend has open is as expected.
    private func waitForDescriptors(
        of backend: BackendProcess,
        _ isExpected: (Int) -> Bool
    ) async throws {
        let path = "/proc/\(backend.child.processID)/fd"
        // A client that the backend did not notice would be answered after 25 s.
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let count = try FileManager.default.contentsOfDirectory(atPath: path).count
            if isExpected(count) { return }
            try #require(ContinuousClock.now < deadline, "\(count) descriptors are open")
            await Task.yield()
        }
    }
}
