import CrashWork
import Foundation
import Testing

/// The machine crashes behind each system call of each work; what was not synchronized is there, is
/// not there, or is there in part, in every combination.
@Suite(
    "A crash",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here")
)
struct CrashTests {
    @Test(
        "at any point leaves the old value or the new one, whole, and a store that can go on",
        arguments: Scenario.all
    )
    func everyPrefix(scenario: Scenario) throws {
        let rehearsal = try Rehearsal(scenario)
        #expect(try rehearsal.isTold(by: rehearsal.end), "the model is not what happened")
        var states = 0
        for length in 0...rehearsal.recording.calls.count {
            let isDone = length == rehearsal.recording.calls.count
            let allowed = isDone ? [] : [scenario.before] + scenario.between
            states += try check(
                rehearsal,
                rehearsal.disk(after: length),
                allowed + [scenario.after],
                "call \(length)"
            )
        }
        print("\(scenario): \(states) states, \(rehearsal.differentStates) different")
    }

    @Test(
        "after a failed call leaves the old value or the new one, whole, too",
        arguments: Scenario.all
    )
    func afterFault(scenario: Scenario) throws {
        var states = 0
        let allowed = [scenario.before, scenario.after] + scenario.between
        for fault in try faults(of: scenario) {
            let rehearsal = try Rehearsal(scenario, fault: fault)
            #expect(try rehearsal.isTold(by: rehearsal.end), "the model is not what happened")
            let calls = rehearsal.recording.calls
            let first = try #require(calls.firstIndex { $0.isInjected })
            for length in first...calls.count {
                let disk = rehearsal.disk(after: length)
                states += try check(rehearsal, disk, allowed, "\(fault), call \(length)")
            }
        }
        print("\(scenario): \(states) states")
    }

    @Test(
        "within a second writer's call leaves what was before it or what is after it",
        arguments: Scenario.all
    )
    func afterFaultAndCall(scenario: Scenario) throws {
        var states = 0
        for fault in try faults(of: scenario) {
            let rehearsal = try Rehearsal(scenario, fault: fault)
            let second = try Tracer.record(scenario.next, in: rehearsal.place)
            #expect(second.outcome == "done", "\(fault): \(second.outcome)")
            let found = scenario.look(in: rehearsal.place)
            let allowed = [scenario.before, scenario.after] + scenario.between
            for length in 0...second.calls.count {
                var disk = rehearsal.end
                disk.play(Array(second.calls.prefix(length)))
                let isDone = length == second.calls.count
                let what = "\(fault), second call \(length)"
                states += try check(rehearsal, disk, (isDone ? [] : allowed) + [found], what)
            }
        }
        print("\(scenario): \(states) states")
    }

    private func faults(of scenario: Scenario) throws -> [Fault] {
        let breakable = ["openat2", "pwrite64", "fsync", "fdatasync", "renameat", "unlinkat"]
        return try Rehearsal(scenario).recording.numbered
            .filter { breakable.contains($0.call.name) }
            .map { Fault(call: $0.call.name, count: $0.count, effect: .error("EIO")) }
    }

    @Test(
        "after a second writer's call leaves what that found and wrote, where the first was killed",
        arguments: Scenario.all
    )
    func afterKill(scenario: Scenario) throws {
        var states = 0
        for (call, count) in try Rehearsal(scenario).recording.numbered {
            let fault = Fault(call: call.name, count: count, effect: .kill)
            let rehearsal = try Rehearsal(scenario, fault: fault)
            #expect(rehearsal.recording.outcome.isEmpty, "\(fault)")
            #expect(try rehearsal.isTold(by: rehearsal.end), "the model is not what happened")
            let second = try Tracer.record(scenario.work, in: rehearsal.place)
            #expect(second.outcome == "done", "\(fault): \(second.outcome)")
            let found = scenario.look(in: rehearsal.place)
            var disk = rehearsal.end
            disk.play(second.calls)
            states += try check(rehearsal, disk, [found], "\(fault)")
        }
        print("\(scenario): \(states) states")
    }

    @Test(
        "is noticed by these tests where any one of the synchronizations is left out",
        arguments: Scenario.all
    )
    func withoutSynchronization(scenario: Scenario) throws {
        let rehearsal = try Rehearsal(scenario)
        let calls = rehearsal.recording.calls
        let needed = calls.indices.filter { index in
            // One that finds nothing to do is for a writer that was killed before.
            ["fsync", "fdatasync"].contains(calls[index].name)
                && rehearsal.disk(after: index).durableCount
                    < rehearsal.disk(after: index + 1).durableCount
        }
        #expect(!needed.isEmpty)
        for index in needed {
            #expect(try isNoticed(rehearsal, without: index), "\(scenario), call \(index)")
        }
        print("\(scenario): synchronizations that are needed: \(needed.count)")
    }

    private func isNoticed(_ rehearsal: Rehearsal, without index: Int) throws -> Bool {
        let scenario = rehearsal.scenario
        for length in index...rehearsal.recording.calls.count {
            let isDone = length == rehearsal.recording.calls.count
            let allowed = isDone ? [] : [scenario.before] + scenario.between
            let disk = rehearsal.disk(after: length, skipping: index)
            for number in 0..<disk.crashCount {
                let found = try rehearsal.restart(disk.crashed(number)).value
                if !(allowed + [scenario.after]).contains(found) { return true }
            }
        }
        return false
    }

    /// Checks each state that a crash of `disk` can leave, and tells how many they are.
    private func check(
        _ rehearsal: Rehearsal,
        _ disk: Disk,
        _ allowed: [String],
        _ what: String
    ) throws -> Int {
        for number in 0..<disk.crashCount {
            let found = try rehearsal.restart(disk.crashed(number))
            let place = "\(rehearsal.scenario), \(what), state \(number)"
            #expect(allowed.contains(found.value), "\(place): \(found.value)")
            #expect(found.canGoOn, "\(place): cannot go on")
        }
        return disk.crashCount
    }
}
