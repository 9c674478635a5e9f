import BookingStorage
import Synchronization
import SystemSupport

/// Records in the audit log from which addresses requests come that are rejected because their tokens are
/// missing or not valid.
///
/// Anyone can cause such requests, so neither the log nor the memory grows with them: in each interval, at
/// most ``maximumAddresses`` addresses have their own entries. The first request of each is recorded at once, and
/// the number of its further ones at the end of the interval.
final class RejectedClients: Sendable {
    static let maximumAddresses = 20
    private static let interval = Duration.seconds(3_600)

    private struct Counts {
        /// The numbers of requests that have not been recorded yet.
        var addresses: [String: Int] = [:]
        /// The addresses of which no request has been recorded yet.
        var new: Set<String> = []
        /// The number of requests from further addresses.
        var others = 0

        /// Counts requests. Returns whether they are from a new address.
        mutating func add(_ count: Int, from address: String?) -> Bool {
            guard let address, addresses[address] != nil || addresses.count < maximumAddresses
            else {
                others += count
                return false
            }
            let isNew = addresses[address] == nil
            addresses[address, default: 0] += count
            if isNew { new.insert(address) }
            return isNew
        }

        /// What is to be recorded now.
        mutating func takeNew() -> [AuditedChange] {
            defer { new = [] }
            return new.sorted().map { address in
                let count = addresses.updateValue(0, forKey: address)
                return AuditedChange(.reject, .address, id: address, count: count)
            }
        }

        /// What is to be recorded at the end of an interval.
        mutating func takeAll() -> [AuditedChange] {
            defer { self = Counts() }
            let known = addresses.sorted { $0.key < $1.key }.map {
                AuditedChange(.reject, .address, id: $0.key, count: $0.value)
            }
            return (known + [AuditedChange(.reject, .address, count: others)]).filter {
                $0.count != 0
            }
        }
    }

    private let store: any TokenStore
    private let counts = Mutex(Counts())
    private let (arrivals, arrival) = AsyncStream.makeStream(
        of: Void.self,
        bufferingPolicy: .bufferingNewest(1)
    )
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init(store: any TokenStore) {
        self.store = store
        let recording = Task.detached { [weak self, arrivals] in
            for await _ in arrivals { await self?.record { $0.takeNew() } }
        }
        let ending = Task.detached { [weak self] in
            while (try? await Task.sleep(for: Self.interval)) != nil { await self?.endInterval() }
        }
        tasks.withLock { $0 = [recording, ending] }
    }

    deinit { for task in tasks.withLock({ $0 }) { task.cancel() } }

    /// Counts a request from an address, which is empty if it is unknown.
    func add(_ address: String) {
        let known = address.isEmpty ? nil : address
        if counts.withLock({ $0.add(1, from: known) }) { arrival.yield() }
    }

    /// The number of requests that have not been recorded yet.
    var count: Int { counts.withLock { $0.addresses.values.reduce($0.others, +) } }

    /// Records what has not been recorded yet, and begins a new interval.
    func endInterval() async { await record { $0.takeAll() } }

    /// Ends the last interval. The store must still be open.
    ///
    /// - Parameter limit: How long to wait for a database that does not answer.
    func finish(waitingAtMost limit: Duration) {
        for task in tasks.withLock({ $0 }) { task.cancel() }
        let isDone = counts.withLock {
            $0.others == 0 && $0.addresses.values.allSatisfy { $0 == 0 }
        }
        if isDone { return }
        let done = Semaphore()
        Task.detached { [self] in
            await endInterval()
            done.signal()
        }
        done.wait(atMost: limit)
    }

    private func record(_ take: (inout Counts) -> [AuditedChange]) async {
        let events = counts.withLock { take(&$0) }
        if events.isEmpty { return }
        do {
            try await store.record(events, by: .unknown)
        } catch {
            // They are recorded at the end of the interval.
            counts.withLock { counts in
                for event in events { _ = counts.add(event.count ?? 0, from: event.id) }
                counts.new.subtract(events.compactMap(\.id))
            }
        }
    }
}
