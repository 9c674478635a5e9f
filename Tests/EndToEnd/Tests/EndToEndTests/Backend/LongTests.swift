import Foundation

/// Whether tests with many rounds run more of them, as `make crash-test` asks.
enum LongTests {
    static let isEnabled = ProcessInfo.processInfo.environment["NOVABLEND_LONG_TESTS"] != nil
}
