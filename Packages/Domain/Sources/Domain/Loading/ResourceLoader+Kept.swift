extension ResourceLoader {
    /// What is kept, however old; nil where there is nothing or it cannot be read. Asks nobody, and
    /// deletes nothing.
    public func kept() -> Value? { try? cache.retrieve()?.value }
}
