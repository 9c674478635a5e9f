import CrashOperations
import Foundation
import Testing

/// Makes each system call of each operation fail once, with each of several errors.
@Suite(
    "A failed system call",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here")
)
struct FaultTests {
    private static let errors = [
        "EIO": EIO, "ENOSPC": ENOSPC, "EROFS": EROFS, "EMFILE": EMFILE, "EDQUOT": EDQUOT,
        "EINTR": EINTR,
    ]

    @Test(
        "leaves the old or new value and no temporary file, and is reported with its errno",
        arguments: Scenario.all
    )
    func fault(scenario: Scenario) throws {
        let calls = try RecordedRun(scenario).recording.numbered
        try #require(!calls.isEmpty)
        var runs = 0
        for (call, count) in calls {
            let last = calls.last { $0.call.name == "fsync" }?.count
            let isLast = call.name == "fsync" && count == last && !scenario.isAppend
            for (error, number) in Self.errors {
                let fault = Fault(call: call.name, count: count, effect: .error(error))
                try check(scenario, fault, number, mayBeNew: isLast)
                runs += 1
            }
        }
        print("\(scenario): \(runs) faults in \(calls.count) calls")
    }

    @Test("that reads the old value makes a replacement quarantine it")
    func unreadable() throws {
        let scenario = try #require(
            Scenario.all.first { $0.operation == .replace && $0.before == "old" }
        )
        let calls = try RecordedRun(scenario).recording.numbered
        let read = try #require(calls.last { $0.call.name == "pread64" })
        let fault = Fault(call: "pread64", count: read.count, effect: .error("EIO"))
        let run = try RecordedRun(scenario, fault: fault)
        #expect(run.recording.outcome == "done")
        #expect(scenario.read(run.path) == "new")
        let quarantined = run.path + "/a.snapshot.damaged-1"
        #expect(FileManager.default.fileExists(atPath: quarantined))
    }

    @Test("does not matter if it is openat2 on a system that lacks it")
    func missingOpenat2() throws {
        for scenario in Scenario.all {
            let fault = Fault(call: "openat2", count: nil, effect: .error("ENOSYS"))
            let run = try RecordedRun(scenario, fault: fault)
            let calls = run.recording.calls
            #expect(calls.contains { $0.name == "openat2" && $0.isInjected }, "\(scenario)")
            #expect(!calls.contains { $0.name == "openat2" && $0.result != nil }, "\(scenario)")
            #expect(run.recording.outcome == "done", "\(scenario)")
            #expect(scenario.read(run.path) == scenario.after, "\(scenario)")
        }
    }

    private func check(
        _ scenario: Scenario,
        _ fault: Fault,
        _ number: Int32,
        mayBeNew: Bool
    ) throws {
        let context = "\(scenario), \(fault)"
        let run = try RecordedRun(scenario, fault: fault)
        let outcome = run.recording.outcome
        #expect(run.recording.calls.contains { $0.isInjected }, "\(context): not injected")
        let value = scenario.read(run.path)
        if outcome == "done" {
            #expect(value == scenario.after, "\(context)")
            #expect(!["fsync", "fdatasync"].contains(fault.call), "\(context): it was repeated")
        } else {
            #expect(outcome.hasSuffix(" \(number)"), "\(context): \(outcome)")
            let allowed = [scenario.before] + scenario.between + (mayBeNew ? [scenario.after] : [])
            #expect(allowed.contains(value), "\(context): \(value)")
        }
        if fault.call != "unlinkat" {
            #expect(scenario.leftovers(in: run.path).isEmpty, "\(context)")
        }
        #expect(scenario.canWrite(to: run.path), "\(context): cannot write")
    }
}
