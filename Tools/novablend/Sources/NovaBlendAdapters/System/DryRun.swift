/// A call that reports what it would do and changes nothing. It does not cache the data that it
/// loads, either.
package enum DryRun {
    /// Whether this task is in a dry run. If so, stores write nothing.
    @TaskLocal package static var isActive = false

    /// Runs `work` while stores write nothing.
    package static func run<Output: Sendable, Failure: Error>(
        _ work: @Sendable () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        let result = await $isActive.withValue(true) {
            do throws(Failure) {
                return Result<Output, Failure>.success(try await work())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
