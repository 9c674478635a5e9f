import Foundation

/// Whether to run the long versions of tests: if `NOVABLEND_LONG_TESTS` is set, as in `make
/// crash-test`.
let isLongRun = ProcessInfo.processInfo.environment["NOVABLEND_LONG_TESTS"] != nil
