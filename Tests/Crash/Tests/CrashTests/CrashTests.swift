import CrashOperations
import Foundation
import Testing

/// Simulates a crash of the machine after each system call of each operation, with every
/// combination of changes that are not yet durable: each is present, absent, or partially present.
@Suite(
    "A crash",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here")
)
struct CrashTests {
    @Test(
        "at any point leaves the complete old or new value, and the next write works",
        arguments: Scenario.all
    )
    func everyPrefix(scenario: Scenario) throws {
        let run = try RecordedRun(scenario)
        #expect(try run.isReproduced(by: run.end), "the model differs from the real directory")
        var states = 0
        for length in 0...run.recording.calls.count {
            let isDone = length == run.recording.calls.count
            let allowed = isDone ? [] : [scenario.before] + scenario.between
            states += try check(
                run,
                run.disk(after: length),
                allowed + [scenario.after],
                "call \(length)"
            )
        }
        print("\(scenario): \(states) states, \(run.differentStates) different")
    }

    @Test(
        "after a failed system call leaves the complete old or new value",
        arguments: Scenario.all
    )
    func afterFault(scenario: Scenario) throws {
        var states = 0
        let allowed = [scenario.before, scenario.after] + scenario.between
        for fault in try faults(of: scenario) {
            let run = try RecordedRun(scenario, fault: fault)
            #expect(try run.isReproduced(by: run.end), "the model differs from the real directory")
            let calls = run.recording.calls
            let first = try #require(calls.firstIndex { $0.isInjected })
            for length in first...calls.count {
                let disk = run.disk(after: length)
                states += try check(run, disk, allowed, "\(fault), call \(length)")
            }
        }
        print("\(scenario): \(states) states")
    }

    @Test(
        "during a second write, after a failed first one, leaves the value before or after it",
        arguments: Scenario.all
    )
    func duringNextOperation(scenario: Scenario) throws {
        var states = 0
        for fault in try faults(of: scenario) {
            let run = try RecordedRun(scenario, fault: fault)
            let second = try Tracer.record(scenario.next, in: run.path)
            #expect(second.outcome == "done", "\(fault): \(second.outcome)")
            let value = scenario.read(run.path)
            let allowed = [scenario.before, scenario.after] + scenario.between
            for length in 0...second.calls.count {
                var disk = run.end
                disk.replay(Array(second.calls.prefix(length)))
                let isDone = length == second.calls.count
                let context = "\(fault), second call \(length)"
                states += try check(run, disk, (isDone ? [] : allowed) + [value], context)
            }
        }
        print("\(scenario): \(states) states")
    }

    private func faults(of scenario: Scenario) throws -> [Fault] {
        let names = ["openat2", "pwrite64", "fsync", "fdatasync", "renameat", "unlinkat"]
        return try RecordedRun(scenario).recording.numbered
            .filter { names.contains($0.call.name) }
            .map { Fault(call: $0.call.name, count: $0.count, effect: .error("EIO")) }
    }

    @Test(
        "after a second write leaves its value, wherever the first writer was killed",
        arguments: Scenario.all
    )
    func afterKill(scenario: Scenario) throws {
        var states = 0
        for (call, count) in try RecordedRun(scenario).recording.numbered {
            let fault = Fault(call: call.name, count: count, effect: .kill)
            let run = try RecordedRun(scenario, fault: fault)
            #expect(run.recording.outcome.isEmpty, "\(fault)")
            #expect(try run.isReproduced(by: run.end), "the model differs from the real directory")
            let second = try Tracer.record(scenario.operation, in: run.path)
            #expect(second.outcome == "done", "\(fault): \(second.outcome)")
            let value = scenario.read(run.path)
            var disk = run.end
            disk.replay(second.calls)
            states += try check(run, disk, [value], "\(fault)")
        }
        print("\(scenario): \(states) states")
    }

    @Test(
        "makes these tests fail if any fsync or fdatasync is omitted",
        arguments: Scenario.all
    )
    func omittedSync(scenario: Scenario) throws {
        let run = try RecordedRun(scenario)
        let calls = run.recording.calls
        let necessary = calls.indices.filter { index in
            // A call that makes nothing durable here is needed only after a writer was killed.
            ["fsync", "fdatasync"].contains(calls[index].name)
                && run.disk(after: index).durableCount < run.disk(after: index + 1).durableCount
        }
        #expect(!necessary.isEmpty)
        for index in necessary {
            #expect(try isDetected(run, without: index), "\(scenario), call \(index)")
        }
        print("\(scenario): \(necessary.count) necessary calls of fsync or fdatasync")
    }

    /// Whether a crash can leave a value that is not allowed if the call at `index` is omitted.
    private func isDetected(_ run: RecordedRun, without index: Int) throws -> Bool {
        let scenario = run.scenario
        for length in index...run.recording.calls.count {
            let isDone = length == run.recording.calls.count
            let allowed = isDone ? [] : [scenario.before] + scenario.between
            let disk = run.disk(after: length, skipping: index)
            for number in 0..<disk.crashCount {
                let value = try run.restart(disk.crashed(number)).value
                if !(allowed + [scenario.after]).contains(value) { return true }
            }
        }
        return false
    }

    /// Checks each state that a crash of `disk` can leave, and returns the number of states.
    private func check(
        _ run: RecordedRun,
        _ disk: Disk,
        _ allowed: [String],
        _ context: String
    ) throws -> Int {
        for number in 0..<disk.crashCount {
            let restart = try run.restart(disk.crashed(number))
            let state = "\(run.scenario), \(context), state \(number)"
            #expect(allowed.contains(restart.value), "\(state): \(restart.value)")
            #expect(restart.canWrite, "\(state): cannot write")
        }
        return disk.crashCount
    }
}
