/// A call that reports what it would do, and writes nothing: neither what it would change nor what it
/// loads to find that out.
package enum DryRun {
    /// Whether this task is in a dry run. Stores write nothing while it is true.
    @TaskLocal package static var isActive = false

    /// Runs `work` while stores write nothing.
    package static func run<Answer: Sendable, Failure: Error>(
        _ work: @Sendable () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        let answer = await $isActive.withValue(true) {
            do throws(Failure) {
                return Result<Answer, Failure>.success(try await work())
            } catch {
                return .failure(error)
            }
        }
        return try answer.get()
    }
}
