import CrashOperations
import Foundation
import SystemTestSupport

/// A run of an operation whose system calls were recorded, so that a test can replay them on a
/// model of the disk.
final class RecordedRun {
    /// The result of a restart after a crash.
    struct Restart {
        var value: String
        /// Whether the next write succeeds and its value can be read.
        var canWrite: Bool
    }

    let scenario: Scenario
    let recording: Recording
    /// The directory that the operation used.
    let path: String
    private let directory: TemporaryDirectory
    private let start: Disk
    /// Different crashes often leave the same files. Each such state is restarted once.
    private var restarts: [[String: [UInt8]?]: Restart] = [:]

    init(_ scenario: Scenario, fault: Fault? = nil) throws {
        self.scenario = scenario
        directory = try TemporaryDirectory()
        path = directory.path + "/" + scenario.subdirectory
        try scenario.prepare(path)
        start = try Disk(path: directory.path)
        recording = try Tracer.record(scenario.operation, in: path, fault: fault)
    }

    /// The disk after the first `count` calls, without the call at the index `skipped`.
    func disk(after count: Int, skipping skipped: Int? = nil) -> Disk {
        var disk = start
        let calls = recording.calls.prefix(count).enumerated().filter { $0.offset != skipped }
        disk.replay(calls.map(\.element))
        return disk
    }

    /// The disk after all calls.
    var end: Disk { disk(after: recording.calls.count) }

    /// Whether `disk` has the same files as the real directory.
    func isReproduced(by disk: Disk) throws -> Bool {
        let path = directory.path
        return try disk.current.content(of: path) == Disk(path: path).current.content(of: path)
    }

    /// The number of different states that were restarted.
    var differentStates: Int { restarts.count }

    /// Creates the files of `tree`, which a crash left. Then reads the store and writes to it.
    func restart(_ tree: Tree) throws -> Restart {
        let content = tree.content(of: directory.path)
        if let earlier = restarts[content] { return earlier }
        let copy = try TemporaryDirectory()
        for (path, bytes) in content.sorted(by: { $0.key < $1.key }) {
            try create(copy.path + path, bytes)
        }
        let path = copy.path + "/" + scenario.subdirectory
        let value = scenario.read(path)
        let restart = Restart(value: value, canWrite: scenario.canWrite(to: path))
        restarts[content] = restart
        return restart
    }

    private func create(_ path: String, _ bytes: [UInt8]?) throws {
        if let bytes { return try Data(bytes).write(to: URL(filePath: path)) }
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }
}
