import Glibc

/// Reads a file.
public func contents(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Failure("cannot open \(path)") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = fread(buffer.baseAddress, 1, size, file)
    }
}

/// Prints the median and the 99th percentile of the time that `work` takes, in seconds. The time
/// does not include freeing the result.
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

/// Prints the CPU seconds of each run of `work`. Some runs before warm up and are not measured.
public func measureCPU<R>(rounds: Int, _ work: () throws -> R) throws {
    for _ in 0..<10 { _ = try work() }
    let start = cpuSeconds()
    for _ in 0..<rounds { _ = try work() }
    print("{\"cpu\":\((cpuSeconds() - start) / Double(rounds))}")
}

/// Runs `operation` `count` times, `concurrency` at a time. Prints the rate per second, and the CPU
/// seconds of each run. A first round warms up and is not measured.
public func measure(
    concurrency: Int,
    count: Int,
    _ operation: @escaping @Sendable () async throws -> Void
) async throws {
    try await repeatConcurrently(concurrency: concurrency, rounds: 1, operation)
    let start = ContinuousClock.now
    let cpuStart = cpuSeconds()
    let rounds = max(1, count / concurrency)
    try await repeatConcurrently(concurrency: concurrency, rounds: rounds, operation)
    let completed = Double(rounds * concurrency)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("{\"rate\":\(completed / seconds),\"cpu\":\((cpuSeconds() - cpuStart) / completed)}")
}

private func repeatConcurrently(
    concurrency: Int,
    rounds: Int,
    _ operation: @escaping @Sendable () async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<concurrency {
            group.addTask { for _ in 0..<rounds { try await operation() } }
        }
        try await group.waitForAll()
    }
}

private func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
