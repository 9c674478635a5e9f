import CrashWork
import Foundation

/// A work that was done and recorded, to be played again on a model of the disk.
final class Rehearsal {
    /// What is found after a restart.
    struct Finding {
        var value: String
        /// Whether one can go on to write.
        var canGoOn: Bool
    }

    let scenario: Scenario
    let recording: Recording
    /// The directory that the work was done in.
    let place: String
    private let directory: TemporaryDirectory
    private let start: Disk
    /// Many crashes leave the same.
    private var findings: [[String: [UInt8]?]: Finding] = [:]

    init(_ scenario: Scenario, fault: Fault? = nil) throws {
        self.scenario = scenario
        directory = try TemporaryDirectory()
        place = directory.path + "/" + scenario.folder
        try scenario.prepare(place)
        start = try Disk(path: directory.path)
        recording = try Tracer.record(scenario.work, in: place, fault: fault)
    }

    /// The disk once the first `count` calls were made, but for that numbered `skipped`.
    func disk(after count: Int, skipping skipped: Int? = nil) -> Disk {
        var disk = start
        let calls = recording.calls.prefix(count).enumerated().filter { $0.offset != skipped }
        disk.play(calls.map(\.element))
        return disk
    }

    /// The disk once all calls were made.
    var end: Disk { disk(after: recording.calls.count) }

    /// Whether `disk` says the same of the directory as the system does.
    func isTold(by disk: Disk) throws -> Bool {
        let path = directory.path
        return try disk.seen.content(of: path) == Disk(path: path).seen.content(of: path)
    }

    /// How many of the states were different.
    var differentStates: Int { findings.count }

    /// What is found where a crash left `tree`.
    func restart(_ tree: Tree) throws -> Finding {
        let content = tree.content(of: directory.path)
        if let known = findings[content] { return known }
        let target = try TemporaryDirectory()
        for (path, bytes) in content.sorted(by: { $0.key < $1.key }) {
            try make(target.path + path, bytes)
        }
        let place = target.path + "/" + scenario.folder
        let value = scenario.look(in: place)
        let finding = Finding(value: value, canGoOn: scenario.canGoOn(in: place))
        findings[content] = finding
        return finding
    }

    private func make(_ path: String, _ bytes: [UInt8]?) throws {
        if let bytes { return try Data(bytes).write(to: URL(filePath: path)) }
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }
}
