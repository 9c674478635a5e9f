/// The error of a fake that a test has made fail.
struct FailureByTest: Error, CustomStringConvertible {
    var description = "set by the test"
}
