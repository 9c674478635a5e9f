import CrashWork
import Foundation
import Testing

/// Each system call of each work fails once, with each error that a disk or a system gives.
@Suite(
    "A system call that fails",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here")
)
struct FaultTests {
    private static let errors = [
        "EIO": EIO, "ENOSPC": ENOSPC, "EROFS": EROFS, "EMFILE": EMFILE, "EDQUOT": EDQUOT,
        "EINTR": EINTR,
    ]

    @Test(
        "leaves the old value or gives the new one, is told by its number, and leaves no litter",
        arguments: Scenario.all
    )
    func fault(scenario: Scenario) throws {
        let calls = try Rehearsal(scenario).recording.numbered
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

    @Test("to read the old value is no reason not to replace it, but to put it aside")
    func unreadable() throws {
        let scenario = try #require(
            Scenario.all.first { $0.work == .replace && $0.before == "old" }
        )
        let reads = try Rehearsal(scenario).recording.numbered.filter { $0.call.name == "pread64" }
        let read = try #require(reads.last)
        let fault = Fault(call: "pread64", count: read.count, effect: .error("EIO"))
        let rehearsal = try Rehearsal(scenario, fault: fault)
        #expect(rehearsal.recording.outcome == "done")
        #expect(scenario.look(in: rehearsal.place) == "new")
        let aside = rehearsal.place + "/a.snapshot.damaged-1"
        #expect(FileManager.default.fileExists(atPath: aside))
    }

    @Test("because the system does not have it is one that can be done without")
    func unknown() throws {
        for scenario in Scenario.all {
            let fault = Fault(call: "openat2", count: nil, effect: .error("ENOSYS"))
            let rehearsal = try Rehearsal(scenario, fault: fault)
            let calls = rehearsal.recording.calls
            #expect(calls.contains { $0.name == "openat2" && $0.isInjected }, "\(scenario)")
            #expect(!calls.contains { $0.name == "openat2" && $0.result != nil }, "\(scenario)")
            #expect(rehearsal.recording.outcome == "done", "\(scenario)")
            #expect(scenario.look(in: rehearsal.place) == scenario.after, "\(scenario)")
        }
    }

    private func check(
        _ scenario: Scenario,
        _ fault: Fault,
        _ number: Int32,
        mayBeNew: Bool
    ) throws {
        let what = "\(scenario), \(fault)"
        let rehearsal = try Rehearsal(scenario, fault: fault)
        let place = rehearsal.place
        let outcome = rehearsal.recording.outcome
        #expect(rehearsal.recording.calls.contains { $0.isInjected }, "\(what): not injected")
        let found = scenario.look(in: place)
        if outcome == "done" {
            #expect(found == scenario.after, "\(what)")
            #expect(!["fsync", "fdatasync"].contains(fault.call), "\(what): it was tried again")
        } else {
            #expect(outcome.hasSuffix(" \(number)"), "\(what): \(outcome)")
            let old = [scenario.before] + scenario.between
            #expect((old + (mayBeNew ? [scenario.after] : [])).contains(found), "\(what): \(found)")
        }
        if fault.call != "unlinkat" {
            #expect(scenario.leftovers(in: place).isEmpty, "\(what)")
        }
        #expect(scenario.canGoOn(in: place), "\(what): cannot go on")
    }
}
