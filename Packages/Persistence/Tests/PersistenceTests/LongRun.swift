import Foundation

/// How much is tried: all of it where `NOVABLEND_LONG_TESTS` is set, as `make crash-test` does.
let isLongRun = ProcessInfo.processInfo.environment["NOVABLEND_LONG_TESTS"] != nil
