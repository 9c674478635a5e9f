extension FileSnapshotStore {
    /// Reports the changes of the store, by this process or any other. Creates the directory if it
    /// is missing.
    ///
    /// Every change that happens after this function has returned is reported, except for those of
    /// other computers on a network file system. A report may be late, so load the snapshot to see
    /// its current value.
    ///
    /// If the directory is deleted or moved, this reports `unknown`, and then the changes of the
    /// directory that is created at its path.
    ///
    /// - Parameter onChange: Receives each change, on a thread of its own.
    /// - Returns: The watch, which ends when it is released.
    /// - Throws: `insecure`, or `system`, for example if the user has too many inotify instances.
    public func watch(
        _ onChange: @escaping @Sendable (SnapshotChange) -> Void
    ) throws(StoreError) -> SnapshotWatch {
        do {
            _ = try directory.open(creating: true)
            return try SnapshotWatch(directory: directory.path) { event in
                switch event {
                case .replaced(let file):
                    if let change = self.replacement(file) { onChange(change) }
                case .removed(let file):
                    if let change = self.removal(file) { onChange(change) }
                case .unknown: onChange(.unknown)
                }
            }
        } catch {
            throw StoreError(.watch, path: directory.path, error)
        }
    }

    /// The changes of the store from now on. See ``watch(_:)``.
    ///
    /// - Returns: A sequence in which up to 1,024 changes wait for their reader. If there are more,
    ///   the oldest are dropped and `unknown` follows. The watch ends with the sequence and its
    ///   iterators.
    /// - Throws: The errors of ``watch(_:)``.
    public func changes() throws(StoreError) -> AsyncStream<SnapshotChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SnapshotChange.self,
            bufferingPolicy: .bufferingNewest(1_024)
        )
        let watch = try watch { change in
            if case .dropped = continuation.yield(change) { continuation.yield(.unknown) }
        }
        continuation.onTermination = { _ in withExtendedLifetime(watch) {} }
        return stream
    }

    private func replacement(_ file: String) -> SnapshotChange? {
        if let name = StoreFile.name(of: file, suffix: Self.suffix) { return .replaced(name) }
        guard StoreFile.hasStoredName(file, suffix: Self.suffix) else { return nil }
        guard let name = try? storedName(of: file) else { return .unknown }
        return .replaced(name)
    }

    private func storedName(of file: String) throws(StoreError) -> String? {
        try directory.reading(nil, for: .watch) { open throws(StoreError.Reason) in
            try name(of: file, in: open)
        } ?? nil
    }

    private func removal(_ file: String) -> SnapshotChange? {
        if let name = StoreFile.name(of: file, suffix: Self.suffix) { return .removed(name) }
        return StoreFile.hasStoredName(file, suffix: Self.suffix) ? .unknown : nil
    }
}
