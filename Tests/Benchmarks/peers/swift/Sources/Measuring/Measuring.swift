import Glibc

/// What went wrong with a measurement.
public struct Failure: Error {
    let text: String

    /// Makes a failure that says `text`.
    public init(_ text: String) { self.text = text }
}

/// A task of the command line: `get URL AT_ONCE COUNT`, `read FILE ROUNDS` or
/// `replace DIRECTORY BYTES COUNT`.
public enum Job {
    /// Keep-alive GETs, some at once.
    case get(url: String, atOnce: Int, count: Int)
    /// A payload into models.
    case read(file: String, rounds: Int)
    /// A value in place of another, durably.
    case replace(directory: String, bytes: Int, count: Int)

    /// Reads the arguments of the process.
    public init() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let numbers = words.dropFirst(2).compactMap { Int($0) }.filter { $0 > 0 }
        switch (words.first, numbers.count) {
        case ("get", 2): self = .get(url: words[1], atOnce: numbers[0], count: numbers[1])
        case ("read", 1): self = .read(file: words[1], rounds: numbers[0])
        case ("replace", 2):
            self = .replace(directory: words[1], bytes: numbers[0], count: numbers[1])
        default: throw Failure("get URL AT_ONCE COUNT, read FILE ROUNDS, replace DIR BYTES COUNT")
        }
    }
}

/// The bytes of a file.
public func contents(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Failure("no \(path)") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = fread(buffer.baseAddress, 1, size, file)
    }
}

/// Prints the median and the 99th percentile of how long `work` takes; what it makes is freed
/// outside.
public func measure<R>(rounds: Int, _ work: () throws -> R) throws {
    var times: [Double] = []
    for _ in 0..<rounds {
        let start = ContinuousClock.now
        let result = try work()
        times.append((ContinuousClock.now - start) / .seconds(1))
        withExtendedLifetime(result) {}
    }
    times.sort()
    let p99 = times[Int(Double(times.count - 1) * 0.99 + 0.5)]
    print("{\"p50\":\(times[times.count / 2]),\"p99\":\(p99)}")
}

/// Has `one` done `count` times, `atOnce` at once, and prints the rate and the processor's time.
public func measure(
    atOnce: Int,
    count: Int,
    _ one: @escaping @Sendable () async throws -> Void
) async throws {
    try await all(atOnce, rounds: 1, one)
    let start = ContinuousClock.now
    let used = processorSeconds()
    let rounds = max(1, count / atOnce)
    try await all(atOnce, rounds: rounds, one)
    let done = Double(rounds * atOnce)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("{\"rate\":\(done / seconds),\"cpu\":\((processorSeconds() - used) / done)}")
}

private func all(
    _ atOnce: Int,
    rounds: Int,
    _ one: @escaping @Sendable () async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<atOnce {
            group.addTask { for _ in 0..<rounds { try await one() } }
        }
        try await group.waitForAll()
    }
}

private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
