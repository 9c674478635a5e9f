import Glibc
import Synchronization
import SystemSupport

extension StoreDirectory {
    private static let maximumLinks = 40

    /// Opens the directory. With `creating`, creates the missing directories of its path, for this
    /// user only.
    ///
    /// Usually the directory exists and its path has no symbolic link. Then a single `openat2` that
    /// fails at any link is enough, because `walk` checks nothing but links. If `openat2` fails for
    /// any reason, `walk` decides.
    func open(creating: Bool) throws(StoreError.Reason) -> Descriptor {
        guard path.hasPrefix("/") else { throw .insecure("its path is not absolute") }
        guard !path.utf8.contains(0) else { throw .insecure("its path contains a null character") }
        let directory: Descriptor
        do {
            directory = try Descriptor(directoryWithoutLinks: path)
        } catch {
            directory = try walk(creating: creating)
        }
        let status = try directory.status()
        try Self.checkOwner(status, "it")
        var parent = ".."
        for _ in 0..<checkedDepth {
            try Self.checkOwner(directory.status(of: parent), "a directory above it")
            parent += "/.."
        }
        let inode = UInt64(status.st_ino)
        if creating, durableInode.load(ordering: .relaxed) != inode {
            try synchronizeEntry(of: directory)
            durableInode.store(inode, ordering: .relaxed)
        }
        return directory
    }

    /// Opens the path component by component. The last component must not be a link. Links before
    /// it are followed only if root or this user owns them, such as a `/home` on a different disk.
    private func walk(creating: Bool) throws(StoreError.Reason) -> Descriptor {
        var current = try Descriptor.root()
        var components = path.split(separator: "/")[...]
        var links = 0
        while let name = components.popFirst().map(String.init) {
            let next: Descriptor
            do {
                next = try Descriptor(openAt: current, name, Descriptor.pathOnly)
            } catch .system(_, ENOENT) where creating {
                try synchronizeEntry(of: current)
                try makeDirectory(name, in: current)
                next = try Descriptor(openAt: current, name, Descriptor.pathOnly)
            }
            let status = try next.status()
            guard status.isSymbolicLink else {
                current = next
                continue
            }
            links += 1
            guard !components.isEmpty else { throw .insecure("it is a symbolic link") }
            guard [0, geteuid()].contains(status.st_uid) else {
                throw .insecure("its path has a symbolic link of another user")
            }
            guard links <= Self.maximumLinks else {
                throw .insecure("its path has too many symbolic links")
            }
            let target = try next.linkTarget()
            if target.hasPrefix("/") { current = try Descriptor.root() }
            components.insert(contentsOf: target.split(separator: "/"), at: components.startIndex)
        }
        return try Descriptor(openAt: current, ".", O_RDONLY | O_DIRECTORY)
    }

    /// Throws unless this user owns a directory and no one else can write to it. `name` is how the
    /// error refers to the directory.
    private static func checkOwner(_ status: stat, _ name: String) throws(StoreError.Reason) {
        guard status.st_uid == geteuid() else {
            throw .insecure("\(name) belongs to another user")
        }
        guard status.st_mode & 0o022 == 0 else { throw .insecure("others can write to \(name)") }
    }

    private func makeDirectory(
        _ name: String,
        in parent: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let base = parent.raw
        do {
            try Descriptor.call("mkdirat") { mkdirat(base, name.systemBytes, 0o700) }
        } catch .system(_, EEXIST) {
            return
        }
    }

    /// Makes the entry of `directory` in its parent durable: the process that created the directory
    /// may have died before it did.
    private func synchronizeEntry(
        of directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let parent: Descriptor
        do {
            parent = try Descriptor(openAt: directory, "..", O_RDONLY | O_DIRECTORY)
        } catch .system(_, EACCES) {
            // A directory that this user may not read was not created by this user, so it is not
            // made durable.
            return
        }
        try parent.synchronize()
    }
}
