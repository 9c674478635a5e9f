import Foundation
import Testing

/// Whether tests with many rounds run more of them, as `make crash-test` asks.
enum LongTests {
    static let isEnabled = ProcessInfo.processInfo.environment["NOVABLEND_LONG_TESTS"] != nil
    /// The time limit of a suite with such a test.
    static let timeLimit = TimeLimitTrait.Duration.minutes(isEnabled ? 60 : 10)
}
