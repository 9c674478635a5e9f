import Glibc
import Synchronization

extension StoreDirectory {
    private static let mostLinks = 40

    /// Opens the directory; with `making`, what is missing of its path is made for this user alone.
    ///
    /// Most are there and behind no link: then one call opens them, as safely as the walk does. Of
    /// what is above the directory the walk judges the links alone, and the system refuses every one
    /// that it meets while it resolves the path. Whatever the call fails for, the walk decides.
    func open(making: Bool) throws(StoreError.Reason) -> Descriptor {
        guard path.hasPrefix("/") else { throw .insecure("its path is not absolute") }
        guard !path.utf8.contains(0) else { throw .insecure("its path has a zero in it") }
        let directory: Descriptor
        do throws(StoreError.Reason) {
            directory = try Descriptor(directoryWithoutLinks: path)
        } catch {
            directory = try walk(making: making)
        }
        let status = try directory.status()
        try Self.checkOwner(status, "it")
        for parent in guardedParents {
            try Self.checkOwner(directory.status(of: parent), "a directory above it")
        }
        let inode = UInt64(status.st_ino)
        if making, secured.load(ordering: .relaxed) != inode {
            try secure(directory)
            secured.store(inode, ordering: .relaxed)
        }
        return directory
    }

    /// Opens each component in the one before. The directory must be no link; above it a link is
    /// followed where root or this user made it, such as `/home` on another disk.
    private func walk(making: Bool) throws(StoreError.Reason) -> Descriptor {
        var here = try Descriptor.root()
        var rest = path.split(separator: "/")[...]
        var links = 0
        while let name = rest.popFirst().map(String.init) {
            let next: Descriptor
            do throws(StoreError.Reason) {
                next = try Descriptor(openAt: here, name, Descriptor.path)
            } catch .system(_, ENOENT) where making {
                try secure(here)
                try makeDirectory(name, in: here)
                next = try Descriptor(openAt: here, name, Descriptor.path)
            } catch {
                throw error
            }
            let status = try next.status()
            guard status.isSymbolicLink else {
                here = next
                continue
            }
            links += 1
            guard !rest.isEmpty else { throw .insecure("it is a symbolic link") }
            guard [0, geteuid()].contains(status.st_uid), links <= Self.mostLinks else {
                throw .insecure("a symbolic link of another user leads to it")
            }
            let target = try next.linkTarget()
            if target.hasPrefix("/") { here = try Descriptor.root() }
            rest.insert(contentsOf: target.split(separator: "/"), at: rest.startIndex)
        }
        return try Descriptor(openAt: here, ".", O_RDONLY | O_DIRECTORY)
    }

    private static func checkOwner(_ status: stat, _ what: String) throws(StoreError.Reason) {
        guard status.st_uid == geteuid() else {
            throw .insecure("\(what) belongs to another user")
        }
        guard status.st_mode & 0o022 == 0 else { throw .insecure("others can write to \(what)") }
    }

    private func makeDirectory(
        _ name: String,
        in parent: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let base = parent.raw
        do throws(StoreError.Reason) {
            try Descriptor.call("mkdirat") { mkdirat(base, name, 0o700) }
        } catch .system(_, EEXIST) {
            return
        } catch {
            throw error
        }
    }

    /// Makes the entry of `directory` in its parent durable, whoever made it.
    private func secure(_ directory: borrowing Descriptor) throws(StoreError.Reason) {
        let parent: Descriptor
        do throws(StoreError.Reason) {
            parent = try Descriptor(openAt: directory, "..", O_RDONLY | O_DIRECTORY)
        } catch .system(_, EACCES) {
            // Where this user may not even read, nothing of this user's was made.
            return
        } catch {
            throw error
        }
        try parent.synchronize()
    }
}
