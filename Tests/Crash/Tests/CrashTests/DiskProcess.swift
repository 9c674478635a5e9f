/// A process whose system calls are replayed on a disk.
struct DiskProcess: Sendable {
    /// The open file or directory of each descriptor.
    private var open: [Int: Int] = [:]

    /// Replays `call` on `disk`.
    mutating func perform(_ call: SystemCall, on disk: inout Disk) {
        guard let result = call.result else { return performFailure(call, on: &disk) }
        if call.name == "openat2" { return open[result] = disk.current.node(at: call.text(1)) }
        if call.name == "openat" { return performOpen(call, result, on: &disk) }
        guard let node = call.integer(0).flatMap({ open[$0] }) else { return }
        switch call.name {
        case "mkdirat": _ = disk.add(.directory([:]), call.text(1), in: node)
        case "pwrite64":
            let bytes = Array(call.bytes(1).prefix(result))
            disk.apply(Change(node: node, kind: .write(at: call.integer(3) ?? 0, bytes: bytes)))
        case "ftruncate":
            disk.apply(Change(node: node, kind: .truncate(to: call.integer(1) ?? 0)))
        case "unlinkat": disk.apply(Change(node: node, kind: .unlink(name: call.text(1))))
        case "renameat":
            guard let moved = disk.current.entry(call.text(1), of: node) else { return }
            let kind = Change.Kind.rename(from: call.text(1), to: call.text(3), node: moved)
            disk.apply(Change(node: node, kind: kind))
        case "fsync", "fdatasync": disk.synchronize(node)
        // Including `sync_file_range`, which guarantees nothing.
        default: break
        }
    }

    private func performFailure(_ call: SystemCall, on disk: inout Disk) {
        guard call.hasFailed, ["fsync", "fdatasync"].contains(call.name) else { return }
        if let node = call.integer(0).flatMap({ open[$0] }) { disk.failToSynchronize(node) }
    }

    private mutating func performOpen(_ call: SystemCall, _ result: Int, on disk: inout Disk) {
        let name = call.text(1)
        let parent = call.integer(0).flatMap { open[$0] }
        guard let directory = name == "/" ? 0 : parent else { return }
        switch name {
        case "/", ".": open[result] = directory
        case "..": open[result] = disk.current.parent(of: directory)
        default:
            let existing = disk.current.entry(name, of: directory)
            open[result] = existing ?? disk.add(.file([]), name, in: directory)
        }
    }
}

extension Disk {
    /// Replays the calls of one process.
    mutating func replay(_ calls: [SystemCall]) {
        var process = DiskProcess()
        for call in calls { process.perform(call, on: &self) }
    }
}
